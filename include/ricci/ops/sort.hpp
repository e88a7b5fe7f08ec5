// Sorting: `rc::sort(x, rc::axis<0>)`, `rc::argsort(x, rc::descending)`.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/index.hpp>

namespace ricci {

struct descending_t {};
inline constexpr descending_t descending{};

namespace sorting {

struct order {
  index_t axis;
  bool descending;
};
template <index_t Axis, bool Descending>
struct in_order : constant_attributes<in_order<Axis, Descending>> {
  static constexpr order typed() { return {Axis, Descending}; }
};

// Whether x has to stand before y. A NaN is greater than every number, as in NumPy, PyTorch and JAX.
struct before {
  bool descending;
  template <class T>
  RICCI_HD constexpr bool operator()(T x, T y) const {
    return descending ? x > y || (x != x && y == y) : x < y || (y != y && x == x);
  }
};

inline constexpr index_t sorted_by_insertion = 16;

// Sorts n elements of a, stably, by insertion within short runs and by merging these; b has room for as many. Where
// they are in the end, a or b, is returned.
template <class T, class Before>
RICCI_HD constexpr T* merge_sort(T* a, T* b, index_t n, Before const& is_before) {
  for (index_t first = 0; first < n; first += sorted_by_insertion) {
    index_t const end = first + sorted_by_insertion < n ? first + sorted_by_insertion : n;
    for (index_t i = first + 1; i < end; ++i) {
      T const x = a[i];
      index_t k = i;
      for (; k > first && is_before(x, a[k - 1]); --k) a[k] = a[k - 1];
      a[k] = x;
    }
  }
  for (index_t length = sorted_by_insertion; length < n; length *= 2) {
    for (index_t first = 0; first < n; first += 2 * length) {
      index_t const middle = first + length < n ? first + length : n, end = middle + length < n ? middle + length : n;
      index_t i = first, j = middle;
      for (index_t k = first; k < end; ++k) {
        bool const right = i == middle || (j < end && is_before(a[j], a[i]));
        b[k] = a[right ? j : i];
        (right ? j : i) += 1;
      }
    }
    T* const sorted = b;
    b = a, a = sorted;
  }
  return a;
}

// x along an axis in the order of the indices, and the other way round: sums where they point to
template <class V>
constexpr V gathered(V x, V indices, int axis) {
  int const last = x.rank() - 1;
  return ir::move_axis(ir::take(ir::move_axis(x, axis, last), ir::move_axis(indices, axis, last), last, true), last,
                       axis);
}
template <class V>
constexpr V scattered(V x, V indices, int axis) {
  int const last = x.rank() - 1;
  V const moved = ir::move_axis(x, axis, last);
  return ir::move_axis(ir::scatter(ir::zeros_like(moved), ir::move_axis(indices, axis, last), moved, last, true, true),
                       last, axis);
}

// What both have in common: (..., n, ...) keeps its shape, along one axis, the last one where none is named; an axis
// that is not there is a compile error. Attribute behind the axis: whether the order is descending.
template <class Derived>
struct sorting_call : axis_call {
  static constexpr core_signature core{"(n)->(n)"};
  static constexpr int attributes = 1;
  static constexpr index_t workspace(index_t const* n) { return 2 * n[0]; }
  static constexpr index_t operations(index_t const* n) {
    index_t steps = 0;
    while (index_t(1) << steps < n[0]) ++steps;
    return n[0] * steps;
  }

  template <class X, index_t A = -1>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A> = {}) const {
    return call_operation<Derived>(in_order<A, false>{}, static_cast<X&&>(x));
  }
  template <class X, index_t A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A>, descending_t) const {
    return call_operation<Derived>(in_order<A, true>{}, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, descending_t) const {
    return (*this)(static_cast<X&&>(x), axis<-1>, ricci::descending);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, order o, shape_t const& x) {
    if (o.axis < -x.rank || o.axis >= x.rank) c.fail();
    return x;
  }
  template <class V>
  static constexpr V record(order o, V x) {
    return over(x, int(o.axis < 0 ? o.axis + x.rank() : o.axis), o.descending);
  }
  template <class V>
  static constexpr V over(V x, int axis, bool descending) {
    index_t const how[] = {axis, descending};
    shape_t const shape = x.shape();
    return ir::call<Derived, typename V::mode>(*x.g, x.type(), &shape, {&x.id, 1}, {how, 2});
  }
};

}  // namespace sorting

// The positions of the elements of x in sorted order, as int64. Equal elements keep their order; a NaN is greater than
// every number.
struct argsort_t : sorting::sorting_call<argsort_t> {
  static constexpr auto name = "argsort";
  template <class T>
  using types = type_list<T, std::int64_t>;
  template <class T>
  using workspace_type = std::int64_t;
  static constexpr dtype type_of_result(dtype) { return dtype::int64; }

  template <class View>
  struct by_element {
    View const& x;
    sorting::before is_before;
    RICCI_HD constexpr bool operator()(std::int64_t i, std::int64_t k) const { return is_before(x(i), x(k)); }
  };
  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    index_t const n = c.extents[0];
    for (index_t k = 0; k < n; ++k) c.workspace[k] = k;
    using view = std::remove_cvref_t<decltype(x)>;
    auto const* sorted =
        sorting::merge_sort(c.workspace, c.workspace + n, n, by_element<view>{x, {c.attributes[0] != 0}});
    for (index_t k = 0; k < n; ++k) y(k) = sorted[k];
  }
};
// The elements of x in ascending or descending order; a NaN is greater than every number.
struct sort_t : sorting::sorting_call<sort_t> {
  static constexpr auto name = "sort";
  static constexpr dtype type_of_result(dtype t) { return t; }

  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    index_t const n = c.extents[0];
    for (index_t k = 0; k < n; ++k) c.workspace[k] = x(k);
    auto const* sorted = sorting::merge_sort(c.workspace, c.workspace + n, n, sorting::before{c.attributes[0] != 0});
    for (index_t k = 0; k < n; ++k) y(k) = sorted[k];
  }
  template <class V>
  static constexpr V indices(ir::application<V> const& at) {
    return argsort_t::over(at.operand(0), int(at.attr(0)), at.attr(1) != 0);
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? sorting::gathered(t[0], indices(at), int(at.attr(0))) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = sorting::scattered(ct, indices(at), int(at.attr(0)));
  }
};
inline constexpr argsort_t argsort{};
inline constexpr sort_t sort{};

}  // namespace ricci
