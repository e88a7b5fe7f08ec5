// Sorting: `rc::sort(x, rc::axis<0>)`, `rc::argsort(x, rc::descending)`.
#pragma once

#include <ricci/core/sort_keys.hpp>
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
template <bool Descending>
struct before {
  template <class T>
  RICCI_HD constexpr bool operator()(T x, T y) const {
    if constexpr (Descending)
      return (int(x > y) | (int(x != x) & int(y == y))) != 0;
    else
      return (int(x < y) | (int(y != y) & int(x == x))) != 0;
  }
};

inline namespace RICCI_ABI {

inline constexpr index_t sorted_by_insertion = 16;

// Merges [left, right) and [right, end), stably. From both ends at once, and without branches: nothing could foresee
// them, and the two chains of loads do not wait for each other. As long as the shorter run is, no end has to be
// watched.
template <class T, class Before>
RICCI_HD constexpr void merge(T const* left, T const* right, T const* end, T* to, Before const& is_before) {
  index_t const n = right - left, m = end - right, both = n < m ? n : m;
  T const *i = left, *j = right, *from_i = right, *from_j = end;
  T *front = to, *back = to + n + m;
  for (index_t k = 0; k < both; ++k) {
    T const x = *i, y = *j, u = from_i[-1], v = from_j[-1];
    bool const takes_right = is_before(y, x), takes_left = is_before(v, u);
    *front++ = takes_right ? y : x;
    *--back = takes_left ? u : v;
    j += takes_right, i += !takes_right;
    from_i -= takes_left, from_j -= !takes_left;
  }
  while (front < back) {
    bool const takes_right = i == from_i || (j < from_j && is_before(*j, *i));
    *front++ = takes_right ? *j++ : *i++;
  }
}

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
      merge(a + first, a + middle, a + end, b + first, is_before);
    }
    T* const sorted = b;
    b = a, a = sorted;
  }
  return a;
}

// Rows that are longer are sorted by keys on the host, where there is a stack to count them on.
inline constexpr index_t most_sorted_by_merging = RICCI_SMALL_STACK ? index_t(1) << 60 : 64;
template <class T>
inline constexpr index_t most_merged =
    !RICCI_SMALL_STACK && core::has_key_lanes<core::key_t<T>> ? sorted_by_insertion : most_sorted_by_merging;

// How many of n keys in ascending order are less than this one.
template <class Key>
index_t keys_before(Key const* sorted, index_t n, Key key) {
  index_t first = 0;
  for (index_t size = n; size > 0;) {
    index_t const half = size / 2;
    bool const is_before = sorted[first + half] < key;
    first += is_before ? half + 1 : 0;
    size = is_before ? size - half - 1 : half;
  }
  return first;
}
// Row x, of n elements, into y, which may be x, by keys; `memory` has room for 2 n. As by merging: zeros of both
// signs keep their order, and so do NaNs of several kinds.
template <bool Descending, class T, class X, class Y>
void sort_by_keys(X const& x, Y const& y, index_t n, T* memory) {
  using key = core::key_t<T>;
  auto* const a = reinterpret_cast<key*>(memory);
  if (x.stride[0] == 1 && y.stride[0] == 1 && core::sort_numbers<Descending, T>(x.p, n, a, a + n, y.p)) return;
  auto const write_numbers = [&](key const* sorted) {
    if (y.stride[0] == 1)
      core::write_numbers<Descending, T>(sorted, n, reinterpret_cast<key*>(y.p));
    else
      for (index_t k = 0; k < n; ++k) y(k) = core::of_key<T>(Descending ? static_cast<key>(~sorted[k]) : sorted[k]);
  };
  if (x.stride[0] != 1)
    for (index_t k = 0; k < n; ++k) a[k] = core::key_in_order<Descending, T>(x(k));
  key* const sorted = x.stride[0] == 1 ? core::sort_keys(reinterpret_cast<key const*>(x.p),
                                                         core::ordered_numbers_as_keys<Descending, T>{}, a, a + n, n)
                                       : core::sort_keys(a, core::words_as_keys{}, a, a + n, n);
  if constexpr (is_floating(dtype_of<T>)) {
    key const zero = core::key_in_order<Descending, T>(T(0));
    key const nan = core::key_in_order<Descending, T>(__builtin_bit_cast(T, static_cast<key>(~key(0))));
    index_t const before_zeros = keys_before(sorted, n, zero),
                  zeros = keys_before(sorted, n, static_cast<key>(zero + 1)) - before_zeros,
                  nans =
                      Descending ? keys_before(sorted, n, static_cast<key>(nan + 1)) : n - keys_before(sorted, n, nan);
    if (zeros + nans > 0) {  // as they are, from the other half of the memory
      key* const kept = sorted == a ? a + n : a;
      index_t at_zero = 0, at_nan = zeros;
      for (index_t k = 0; k < n; ++k) {
        key const own = core::key_in_order<Descending, T>(x(k));
        if (own == zero) kept[at_zero++] = __builtin_bit_cast(key, T(x(k)));
        if (own == nan) kept[at_nan++] = __builtin_bit_cast(key, T(x(k)));
      }
      write_numbers(sorted);
      for (index_t k = 0; k < zeros; ++k) y(before_zeros + k) = __builtin_bit_cast(T, kept[k]);
      for (index_t k = 0; k < nans; ++k) y((Descending ? 0 : n - nans) + k) = __builtin_bit_cast(T, kept[zeros + k]);
      return;
    }
  }
  write_numbers(sorted);
}
// The positions of row x in its order into y; `memory` has room for 2 n positions.
template <bool Descending, class T, class X, class Y>
void argsort_by_keys(X const& x, Y const& y, index_t n, std::int64_t* memory) {
  using entry = core::placed_key<core::key_t<T>, std::uint32_t>;
  static_assert(sizeof(entry) <= sizeof(std::int64_t));
  auto* const a = reinterpret_cast<entry*>(memory);
  for (index_t k = 0; k < n; ++k) a[k] = {core::key_in_order<Descending, T>(x(k)), static_cast<std::uint32_t>(k)};
  entry const* const sorted = core::radix_sort(a, a + n, n);
  for (index_t k = 0; k < n; ++k) y(k) = sorted[k].at;
}

}  // namespace RICCI_ABI

// x along an axis in the order of the indices, and the other way round: sums where they point to
template <class Caller = take_t, class V>
constexpr V gathered(V x, V indices, int axis) {
  int const last = x.rank() - 1;
  return ir::move_axis(ir::take<Caller>(ir::move_axis(x, axis, last), ir::move_axis(indices, axis, last), last, true),
                       last, axis);
}
template <class Caller = take_t, class V>
constexpr V scattered(V x, V indices, int axis) {
  int const last = x.rank() - 1;
  V const moved = ir::move_axis(x, axis, last);
  return ir::move_axis(
      ir::scatter<Caller>(ir::zeros_like(moved), ir::move_axis(indices, axis, last), moved, last, true, true), last,
      axis);
}

// Tangents and cotangents of what only takes elements of its first operand along an axis, its first attribute:
// `Derived::indices` says from where.
template <class Derived>
struct takes_along_axis {
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? gathered(t[0], Derived::indices(at), int(at.attr(0))) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = scattered(ct, Derived::indices(at), int(at.attr(0)));
  }
};

// What both have in common: (..., n, ...) keeps its shape, along one axis, the last one where none is named; an axis
// that is not there is a compile error. Attribute behind the axis: whether the order is descending.
template <class Derived>
struct sorting_call : axis_call, refuses_axis_lists {
  using refuses_axis_lists::operator();
  static constexpr core_signature core{"(n)->(n)"};
  static constexpr int attributes = 1;
  static constexpr bool only_moves = true, takes_rows = true;
  static constexpr index_t workspace(index_t const* n) { return 2 * n[0]; }
  static constexpr index_t operations(index_t const* n) {
    index_t steps = 0;
    while (index_t(1) << steps < n[0]) ++steps;
    return n[0] * steps;
  }

  RICCI_INLINE static void run_row(auto const& c, index_t count, auto const& x, auto const& y) {
    index_t const n = c.extents[0];
    for (index_t i = 0; i < count; ++i) {
      core_view<std::remove_reference_t<decltype(*x.p)>, 1> const from{x.p + i * x.stride[0], {x.stride[1]}};
      core_view<std::remove_reference_t<decltype(*y.p)>, 1> const to{y.p + i * y.stride[0], {y.stride[1]}};
      if (!Derived::by_keys(from, n))
        Derived::run(c, from, to);
      else if (c.attributes[0])
        Derived::template run_by_keys<true>(from, to, n, c.workspace);
      else
        Derived::template run_by_keys<false>(from, to, n, c.workspace);
    }
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
  // an axis that is only known at run time, of a tensor of dynamic extents: computed at once
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x, wrong::Integer auto at) const {
    index_t const a = to_index(at);
    return call_along_axis(Derived{}, in_order<-1, false>{}, order{a, false}, a, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x, wrong::Integer auto at, descending_t) const {
    index_t const a = to_index(at);
    return call_along_axis(Derived{}, in_order<-1, true>{}, order{a, true}, a, static_cast<X&&>(x));
  }
  template <class X, class Name, class... Order>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x, axis_names<Name> name, Order... order) const {
    return along_axis_by_name(Derived{}, x, name, order...);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "sort and argsort take a tensor, the axis, the last one where none is named, and the order: rc::sort(x), "
      "rc::sort(x, rc::axis<0>), rc::sort(x, rc::axis<0>, rc::descending)")
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

  template <class View, bool Descending>
  struct by_element {
    View const& x;
    RICCI_HD constexpr bool operator()(std::int64_t i, std::int64_t k) const {
      return sorting::before<Descending>{}(x(i), x(k));
    }
  };
  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    using view = std::remove_cvref_t<decltype(x)>;
    index_t const n = c.extents[0];
    auto *const a = c.workspace, *const b = a + n;
    for (index_t k = 0; k < n; ++k) a[k] = k;
    auto const* const sorted = c.attributes[0] ? sorting::merge_sort(a, b, n, by_element<view, true>{x})
                                               : sorting::merge_sort(a, b, n, by_element<view, false>{x});
    for (index_t k = 0; k < n; ++k) y(k) = sorted[k];
  }
  // A key and a position lie together in what a position takes.
  RICCI_INLINE static constexpr bool by_keys(auto const& x, index_t n) {
    return sizeof(*x.p) <= 4 && n > sorting::most_sorted_by_merging && n <= index_t(~std::uint32_t(0));
  }
  template <bool Descending>
  RICCI_INLINE static void run_by_keys(auto const& x, auto const& y, index_t n, auto* memory) {
    using T = std::remove_cvref_t<decltype(*x.p)>;
    if constexpr (sizeof(T) <= 4) sorting::argsort_by_keys<Descending, T>(x, y, n, memory);
  }
};
// The elements of x in ascending or descending order; a NaN is greater than every number.
struct sort_t : sorting::sorting_call<sort_t>, sorting::takes_along_axis<sort_t> {
  static constexpr auto name = "sort";
  static constexpr dtype type_of_result(dtype t) { return t; }

  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    index_t const n = c.extents[0];
    auto *const a = c.workspace, *const b = a + n;
    for (index_t k = 0; k < n; ++k) a[k] = x(k);
    auto const* const sorted = c.attributes[0] ? sorting::merge_sort(a, b, n, sorting::before<true>{})
                                               : sorting::merge_sort(a, b, n, sorting::before<false>{});
    for (index_t k = 0; k < n; ++k) y(k) = sorted[k];
  }
  RICCI_INLINE static constexpr bool by_keys(auto const& x, index_t n) {
    return n > sorting::most_merged<std::remove_cvref_t<decltype(*x.p)>>;
  }
  // Columns that lie side by side are brought into rows, as many of them at once as fit into a block, and back.
  RICCI_INLINE static void run_row(auto const& c, index_t count, auto const& x, auto const& y) {
    using base = sorting::sorting_call<sort_t>;
    using T = std::remove_cvref_t<decltype(*y.p)>;
    index_t const n = c.extents[0];
    index_t done = 0;
    if constexpr (!RICCI_SMALL_STACK) {
      constexpr index_t room = 32768 / sizeof(T), fewest = 4, most = 16;
      if (x.stride[0] == 1 && y.stride[0] == 1 && x.stride[1] > 1 && n > 1 && n <= room / fewest && count >= fewest) {
        T rows[room];
        core_view<T, 2> const block{rows, {n, 1}};
        index_t const together = room / n < most ? room / n : most;
        for (; count - done >= fewest; done += together < count - done ? together : count - done) {
          index_t const m = together < count - done ? together : count - done;
          for (index_t k = 0; k < n; ++k)
            for (index_t i = 0; i < m; ++i) rows[i * n + k] = x(done + i, k);
          base::run_row(c, m, block, block);
          for (index_t k = 0; k < n; ++k)
            for (index_t i = 0; i < m; ++i) y(done + i, k) = rows[i * n + k];
        }
      }
    }
    if (done < count)
      base::run_row(c, count - done,
                    core_view<std::remove_reference_t<decltype(*x.p)>, 2>{&x(done, 0), {x.stride[0], x.stride[1]}},
                    core_view<T, 2>{&y(done, 0), {y.stride[0], y.stride[1]}});
  }
  template <bool Descending>
  RICCI_INLINE static void run_by_keys(auto const& x, auto const& y, index_t n, auto* memory) {
    sorting::sort_by_keys<Descending>(x, y, n, memory);
  }
  template <class V>
  static constexpr V indices(ir::application<V> const& at) {
    return argsort_t::over(at.operand(0), int(at.attr(0)), at.attr(1) != 0);
  }
};
inline constexpr argsort_t argsort{};
inline constexpr sort_t sort{};

}  // namespace ricci
