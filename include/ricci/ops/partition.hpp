// `rc::partition(x, k, rc::axis<0>)`, `rc::argpartition(x, k)`: element k where sorting would bring it, none before it
// greater and none behind it less, in time linear in the number of elements.
#pragma once

#include <ricci/ops/flat_index.hpp>
#include <ricci/ops/sort.hpp>

namespace ricci {

namespace sorting {
inline namespace RICCI_ABI {

// Exchanges entries until number k of n stands in its place: quickselect (C. A. R. Hoare, Algorithm 65: FIND, 1961).
// The pivot is the median of three whose places are drawn by a linear congruence (with the constants of Knuth's MMIX,
// The Art of Computer Programming, volume 2, 3.3.4), so that no order that data come in is a slow one; elements step
// over it without branches, and those that are equal to it are one part.
template <class Entry>
RICCI_HD constexpr void select_entry(Entry* a, index_t n, index_t k) {
  index_t left = 0, right = n;
  std::uint64_t state = 0x9e3779b97f4a7c15;
  auto const drawn = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return a[left + index_t((state >> 33) % std::uint64_t(right - left))].value;
  };
  while (right - left > 1) {
    auto const x = drawn(), y = drawn(), z = drawn();
    bool const xy = before<false>{}(x, y), yz = before<false>{}(y, z), xz = before<false>{}(x, z);
    auto const pivot = xy == yz ? y : xy == xz ? z : x;
    auto const bring_forward = [&](auto const& comes_first) {
      index_t to = left;
      for (index_t i = left; i < right; ++i) {
        Entry const e = a[i];
        a[i] = a[to];
        a[to] = e;
        to += comes_first(e.value);
      }
      return to;
    };
    index_t const less = bring_forward([&](auto const& v) { return before<false>{}(v, pivot); });
    if (k < less) {
      right = less;
      continue;
    }
    if (less > left) {
      left = less;
      continue;
    }
    index_t const same = bring_forward([&](auto const& v) { return !before<false>{}(pivot, v); });
    if (k < same) return;
    left = same;
  }
}

}  // namespace RICCI_ABI

template <class T>
struct only_value {
  T value;
};
template <class T>
struct value_and_place {
  T value;
  std::int64_t place;
};

// Operand 1, of order 0, is k.
template <class Derived>
struct selection_call : axis_call {
  static constexpr core_signature core{"(n),()->(n)"};
  static constexpr int first_index = 1;
  static constexpr index_t workspace(index_t const* n) { return n[0]; }
  static constexpr index_t operations(index_t const* n) { return 4 * n[0]; }

  template <class X, class K, index_t A = -1>
  requires operands<X, K> RICCI_INLINE constexpr auto operator()(X&& x, K&& k, axes_t<A> = {}) const {
    static_assert(is_any_tensor<std::remove_cvref_t<K>> || !is_inexact(own_type<K>()),
                  "partition and argpartition take a tensor and which element is in its place, an integer: "
                  "rc::partition(x, 3)");
    return call_operation<Derived>(ricci::along_axis<A>{}, static_cast<X&&>(x), static_cast<K&&>(k));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& x, shape_t const& k) {
    if (axis < -x.rank || axis >= x.rank || k.rank != 0) c.fail();
    return x;
  }
  template <class V>
  static constexpr V record(index_t axis, V x, V k) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<Derived>(), x.shape_id(), k.shape_id()};
    (void)shape_of(c, axis, x.shape(), k.shape());
    int const at = axis_from_start(axis, x.rank());
    // looked up among the positions: there it is checked, and counted from the end
    return over(x, ir::take<Derived>(ir::positions<typename V::mode>(g, x.shape().extent[at]), k, 0), at);
  }
  template <class V>
  static constexpr V over(V x, V k, int axis) {
    index_t const how[] = {axis};
    shape_t const shape = x.shape();
    int const operands[] = {x.id, k.id};
    return ir::call<Derived, typename V::mode>(*x.g, x.type(), &shape, {operands, 2}, {how, 1});
  }
};

}  // namespace sorting

// The positions of the elements of x, int64, so ordered that number k (from the end where it is negative) is that of
// the element which sorting would bring there, with none greater before it and none less behind it. k is an integer or
// a tensor of order 0; one that x does not have is an index_error. A NaN is greater than every number.
struct argpartition_t : sorting::selection_call<argpartition_t> {
  static constexpr auto name = "argpartition";
  template <class T>
  using types = type_list<T, std::int64_t, std::int64_t>;
  template <class T>
  using workspace_type = sorting::value_and_place<T>;
  static constexpr dtype type_of_result(dtype, dtype) { return dtype::int64; }
  RICCI_FN run(auto const& c, auto const& x, auto const& k, auto const& y) {
    index_t const n = c.extents[0];
    for (index_t i = 0; i < n; ++i) c.workspace[i] = {x(i), i};
    sorting::select_entry(c.workspace, n, k());
    for (index_t i = 0; i < n; ++i) y(i) = c.workspace[i].place;
  }
};
// The elements in such an order.
struct partition_t : sorting::selection_call<partition_t>, sorting::takes_along_axis<partition_t> {
  static constexpr auto name = "partition";
  template <class T>
  using types = type_list<T, std::int64_t, T>;
  template <class T>
  using workspace_type = sorting::only_value<T>;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  RICCI_FN run(auto const& c, auto const& x, auto const& k, auto const& y) {
    index_t const n = c.extents[0];
    for (index_t i = 0; i < n; ++i) c.workspace[i] = {x(i)};
    sorting::select_entry(c.workspace, n, k());
    for (index_t i = 0; i < n; ++i) y(i) = c.workspace[i].value;
  }
  template <class V>
  static constexpr V indices(ir::application<V> const& at) {
    return argpartition_t::over(at.operand(0), at.operand(1), int(at.attr(0)));
  }
};
inline constexpr argpartition_t argpartition{};
inline constexpr partition_t partition{};

}  // namespace ricci
