// Places in sorted numbers: `rc::searchsorted(sorted, x)`, `rc::digitize(x, bins)`, `rc::isin(x, y)`. A binary search
// for each element of x; on the host several advance together, so that none waits for memory alone.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/sort.hpp>

namespace ricci {

// On which side of those that are equal: `rc::searchsorted(sorted, x, rc::side::right)`.
namespace side {
struct left_t {};
struct right_t {};
inline constexpr auto left = left_t{};
inline constexpr auto right = right_t{};
}  // namespace side

namespace sorting {

// How many of the numbers stand before x (or, on the right, not behind it); they ascend, NaN last. Derived has
// `answer(sorted, n, place, x)` and says by `is_right` which side it is, by `both_ways` that they may descend.
template <class Derived, class Result>
struct search_call : core_call<Derived> {
  static constexpr core_signature core{"(n),()->()"};
  static constexpr bool takes_rows = true, both_ways = false, is_right = false;
  static constexpr int together = 16;
  template <class T>
  using types = type_list<T, T, Result>;
  static constexpr index_t operations(index_t const* n) {
    index_t steps = 1;
    while (index_t(1) << steps < n[0]) ++steps;
    return steps;
  }

  // The numbers of one search, ascending.
  template <class T>
  struct ascending {
    T const* p;
    index_t stride;
    RICCI_HD constexpr T const& operator()(index_t k) const { return p[k * stride]; }
  };
  template <class T>
  RICCI_HD static constexpr ascending<T> ascended(T const* p, index_t stride, index_t n) {
    if constexpr (Derived::both_ways)
      if (n > 1 && before<false>{}(p[(n - 1) * stride], p[0])) return {p + (n - 1) * stride, -stride};
    return {p, stride};
  }
  template <class T>
  RICCI_HD static constexpr bool is_behind(T const& x, T const& sorted) {
    return Derived::is_right ? !before<false>{}(x, sorted) : before<false>{}(sorted, x);
  }
  template <class T>
  RICCI_HD static constexpr Result found(ascending<T> const& sorted, index_t n, index_t stride, index_t place, T x) {
    if constexpr (Derived::both_ways)
      return sorted.stride == stride ? place : n - place;
    else
      return Derived::answer(sorted, n, place, x);
  }

  RICCI_FN run(auto const& c, auto const& numbers, auto const& value, auto const& y) {
    index_t const n = c.extents[0], stride = numbers.stride[0];
    auto const x = value();
    auto const sorted = ascended(numbers.p, stride, n);
    index_t first = 0, left = n;
    while (left > 0) {
      index_t const half = left / 2;
      bool const behind = is_behind(x, sorted(first + half));
      first = behind ? first + half + 1 : first;
      left = behind ? left - half - 1 : half;
    }
    y() = found(sorted, n, stride, first, x);
  }
  // Those of `count` searches together between first[k] and first[k] + left: the same steps for all, none of them a
  // branch.
  template <int Count, class Sorted, class T>
  RICCI_INLINE static void advance(Sorted const& sorted, T const* x, index_t* first, index_t left) {
    while (left > 0) {
      index_t const half = left / 2, step = left - half;
      for (int k = 0; k < Count; ++k) first[k] += step & -index_t(is_behind(x[k], sorted(first[k] + step - 1)));
      left = half;
    }
  }
  static void run_row(auto const& c, index_t count, auto const& numbers, auto const& values, auto const& y) {
    using T = std::remove_cvref_t<decltype(values(0))>;
    index_t const n = c.extents[0], stride = numbers.stride[1];
    bool const shared = numbers.stride[0] == 0;
    for (index_t i = 0; i < count;) {
      auto const sorted = ascended(&numbers.p[i * numbers.stride[0]], stride, n);
      T x[together];
      index_t first[together]{};
      index_t const m = shared && i + together <= count ? together : 1;
      for (index_t k = 0; k < m; ++k) x[k] = values(i + k);
      if (m == 1) {
        advance<1>(sorted, x, first, n);
      } else {
        bool in_order = true;
        for (index_t k = 1; k < together; ++k) in_order &= x[k - 1] <= x[k];
        if (in_order) {  // what lies between the first and the last one is soon found
          T const ends[] = {x[0], x[together - 1]};
          advance<2>(sorted, ends, first, n);
          index_t const low = first[0], high = first[1];
          for (index_t& k : first) k = low;
          advance<together>(sorted, x, first, high - low);
        } else {
          advance<together>(sorted, x, first, n);
        }
      }
      for (index_t k = 0; k < m; ++k) y(i + k) = found(sorted, n, stride, first[k], x[k]);
      i += m;
    }
  }
};

template <bool Right, bool BothWays>
struct place_call : search_call<place_call<Right, BothWays>, std::int64_t> {
  static constexpr auto name = "searchsorted";
  static constexpr bool is_right = Right, both_ways = BothWays;
  RICCI_FN answer(auto const&, index_t, index_t place, auto) { return place; }
};
// found[k]: -1 where x[k] is equal to one of 4 * rounds numbers, else 0. In integers as wide as T, which fill registers
// as elements do.
template <class T, class Found>
RICCI_VECTORISED void mark_members(T const* __restrict x, index_t count, T const* numbers, index_t rounds,
                                   Found* __restrict found) {
  for (index_t k = 0; k < count; ++k) found[k] = 0;
  for (index_t i = 0; i < rounds; ++i, numbers += 4) {
    T const a = numbers[0], b = numbers[1], c = numbers[2], d = numbers[3];
    for (index_t k = 0; k < count; ++k)
      found[k] = static_cast<Found>(
          found[k] | -static_cast<Found>(int(x[k] == a) | int(x[k] == b) | int(x[k] == c) | int(x[k] == d)));
  }
}
// Whether x is among numbers, which ascend. Up to `few` of them are compared with x one by one, in any order.
struct member_call : search_call<member_call, bool> {
  static constexpr auto name = "is_in_sorted";
  static constexpr index_t few = 32;
  static constexpr index_t operations(index_t const* n) { return n[0] <= few ? n[0] : search_call::operations(n); }
  RICCI_FN answer(auto const& sorted, index_t n, index_t place, auto x) { return place < n && sorted(place) == x; }

  RICCI_FN run(auto const& c, auto const& numbers, auto const& value, auto const& y) {
    index_t const n = c.extents[0];
    if (n > few) return search_call::run(c, numbers, value, y);
    auto const x = value();
    bool found = false;
    for (index_t k = 0; k < n; ++k) found = found || numbers(k) == x;
    y() = found;
  }
  template <class T>
  static void run_row_of_few(index_t n, index_t count, auto const& numbers, auto const& values, auto const& y) {
    using found_t =
        std::conditional_t<sizeof(T) == 8, std::int64_t,
                           std::conditional_t<sizeof(T) == 4, std::int32_t,
                                              std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
    constexpr index_t block = RICCI_SMALL_STACK ? 32 : 256;
    bool const shared = numbers.stride[0] == 0;  // all elements have the same numbers, so that they go by blocks
    index_t const most = shared ? block : 1, padded = (n + 3) / 4 * 4;
    T all[few], x[block];
    found_t found[block];
    for (index_t i = 0; i < count;) {
      index_t const m = i + most <= count ? most : count - i;
      if (i == 0 || !shared)
        for (index_t k = 0; k < padded; ++k) all[k] = numbers(i, k < n ? k : 0);
      for (index_t k = 0; k < m; ++k) x[k] = values(i + k);
      mark_members(x, m, all, padded / 4, found);
      for (index_t k = 0; k < m; ++k) y(i + k) = found[k] != 0;
      i += m;
    }
  }

  // Of many integers, what is among few that lie close together is looked up in a table.
  static constexpr index_t entries = RICCI_SMALL_STACK ? 64 : 16384;
  static void run_row(auto const& c, index_t count, auto const& numbers, auto const& values, auto const& y) {
    using T = std::remove_cvref_t<decltype(values(0))>;
    if (c.extents[0] <= few) return run_row_of_few<T>(c.extents[0], count, numbers, values, y);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      index_t const n = c.extents[0], stride = numbers.stride[1];
      if (n > 0 && count >= 64 && numbers.stride[0] == 0) {
        auto const least = static_cast<std::uint64_t>(numbers.p[0]);
        std::uint64_t const span = static_cast<std::uint64_t>(numbers.p[(n - 1) * stride]) - least;
        if (span < std::uint64_t(entries) && span <= 4 * static_cast<std::uint64_t>(count)) {
          bool table[entries];
          __builtin_memset(table, 0, std::size_t(span) + 1);
          for (index_t k = 0; k < n; ++k) table[static_cast<std::uint64_t>(numbers.p[k * stride]) - least] = true;
          for (index_t i = 0; i < count; ++i) {
            std::uint64_t const at = static_cast<std::uint64_t>(values(i)) - least;
            bool const inside = at <= span;
            y(i) = static_cast<bool>(int(inside) & int(table[inside ? at : 0]));
          }
          return;
        }
      }
    }
    search_call::run_row(c, count, numbers, values, y);
  }
};

// x in the order that integers give it: (n,), (n,) -> (n,).
struct sorted_by_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "searchsorted";
  static constexpr int first_index = 1;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& order) {
    if (x.rank != 1 || order.rank != 1) return c.fail(), x;
    c.same(x.extent[0], order.extent[0]);
    return x;
  }
  template <class V>
  static constexpr V record(no_attributes a, V x, V order) {
    ir::graph_context<typename V::graph_type> c{*x.g, ir::facts_of<sorted_by_t>(), x.shape_id(), order.shape_id()};
    (void)shape_of(c, a, x.shape(), order.shape());
    return ir::take<sorted_by_t>(x, order, 0);
  }
};

}  // namespace sorting

// `rc::searchsorted(x, y, rc::sorter(rc::argsort(x)))`: x is searched in the order that these indices give it.
template <class I>
struct sorter_t {
  I indices;
};
template <class I>
requires operands<I>
constexpr sorter_t<I> sorter(I&& indices) { return {static_cast<I&&>(indices)}; }

// Where the elements of x would have to be inserted so that the numbers, of order 1 and ascending, still ascend: before
// those that are equal, or, `rc::side::right`, behind them. NaN belongs at the end. int64, of the shape of x.
struct searchsorted_function {
  template <class S, class X>
  requires operands<S, X> RICCI_INLINE constexpr auto operator()(S&& sorted, X&& x) const {
    return (*this)(static_cast<S&&>(sorted), static_cast<X&&>(x), side::left);
  }
  template <class S, class X>
  requires operands<S, X> RICCI_INLINE constexpr auto operator()(S&& sorted, X&& x, side::left_t) const {
    static_assert(may_be_of_order<S, 1>, "searchsorted: what is searched has order 1");
    require_comparable(sorted, x);
    return sorting::place_call<false, false>{}(static_cast<S&&>(sorted), static_cast<X&&>(x));
  }
  template <class S, class X>
  requires operands<S, X> RICCI_INLINE constexpr auto operator()(S&& sorted, X&& x, side::right_t) const {
    static_assert(may_be_of_order<S, 1>, "searchsorted: what is searched has order 1");
    require_comparable(sorted, x);
    return sorting::place_call<true, false>{}(static_cast<S&&>(sorted), static_cast<X&&>(x));
  }
  template <class S, class X, class I, class Side>
  requires operands<S, X> RICCI_INLINE constexpr auto operator()(S&& unsorted, X&& x, Side side,
                                                                 sorter_t<I> sorter) const {
    return (*this)(call_operation<sorting::sorted_by_t>(no_attributes{}, static_cast<S&&>(unsorted),
                                                        static_cast<I&&>(sorter.indices)),
                   static_cast<X&&>(x), side);
  }
  template <class S, class X, class I>
  requires operands<S, X> RICCI_INLINE constexpr auto operator()(S&& unsorted, X&& x, sorter_t<I> sorter) const {
    return (*this)(static_cast<S&&>(unsorted), static_cast<X&&>(x), side::left, static_cast<sorter_t<I>&&>(sorter));
  }
  // anything else
  template <class Call = void>
  constexpr wrong::result operator()(wrong::argument, wrong::argument = {}, wrong::argument = {},
                                     wrong::argument = {}) const {
    static_assert(always_false<Call>,
                  "searchsorted takes the sorted numbers, then what is searched for, then rc::side::left or "
                  "rc::side::right, then rc::sorter(indices)");
    return {};
  }
};
// In which bin the elements of x lie, int64: i where bins(i - 1) <= x < bins(i), or, `rc::side::right`, bins(i - 1) < x
// <= bins(i), with the signs the other way round where the bins, of order 1, descend. 0 and the number of edges are
// outside.
struct digitize_function {
  template <class X, class B>
  requires operands<X, B> RICCI_INLINE constexpr auto operator()(X&& x, B&& bins) const {
    return (*this)(static_cast<X&&>(x), static_cast<B&&>(bins), side::left);
  }
  template <class X, class B>
  requires operands<X, B> RICCI_INLINE constexpr auto operator()(X&& x, B&& bins, side::left_t) const {
    static_assert(may_be_of_order<B, 1>, "digitize: the bins are of order 1");
    require_comparable(bins, x);
    return sorting::place_call<true, true>{}(static_cast<B&&>(bins), static_cast<X&&>(x));
  }
  template <class X, class B>
  requires operands<X, B> RICCI_INLINE constexpr auto operator()(X&& x, B&& bins, side::right_t) const {
    static_assert(may_be_of_order<B, 1>, "digitize: the bins are of order 1");
    require_comparable(bins, x);
    return sorting::place_call<false, true>{}(static_cast<B&&>(bins), static_cast<X&&>(x));
  }
};
// Whether each element of x is among those of y, which may have any shape: bool, of the shape of x. NaN is in nothing.
struct isin_t {
  static constexpr auto name = "isin";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype, dtype) { return dtype::boolean; }
  template <class X, class Y>
  requires operands<X, Y> RICCI_INLINE constexpr auto operator()(X&& x, Y&& y) const {
    require_comparable(x, y);  // a number becomes one of the type of x
    return call_operation<isin_t>(no_attributes{}, static_cast<X&&>(x), static_cast<Y&&>(y));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context&, no_attributes, shape_t const& x, shape_t const&) {
    return x;
  }
  template <class V>
  static constexpr V record(no_attributes, V x, V y) {
    index_t const n = ir::element_count(y);
    V const flat = ir::flattened(y);
    if (is_complex(x.type()) || is_complex(y.type())) return of_pairs(x, flat, n);
    bool const are_few = !ir::is_symbolic(n) && n <= sorting::member_call::few;
    return is_among(x, are_few ? flat : sort_t::over(flat, 0, false));
  }

 private:
  template <class V>
  static constexpr V is_among(V x, V few_or_sorted) {
    return sorting::member_call::record(no_attributes{}, few_or_sorted, x);
  }
  template <class V>
  static constexpr V place(V x, V sorted) {
    return sorting::place_call<false, false>::record(no_attributes{}, sorted, x);
  }
  // Complex numbers have no order. Each part of x is searched among the same parts of y; if both are there, the pair of
  // their places, as one integer, is searched among the pairs of y.
  template <class V>
  static constexpr V of_pairs(V x, V y, index_t n) {
    dtype const type = component_type(promote(x.type(), y.type()));
    V const parts_of_x[] = {ir::cast(V(real(x)), type), ir::cast(V(imag(x)), type)},
            parts_of_y[] = {ir::cast(V(real(y)), type), ir::cast(V(imag(y)), type)};
    V const sorted[] = {sort_t::over(parts_of_y[0], 0, false), sort_t::over(parts_of_y[1], 0, false)};
    V const places = ir::number<typename V::mode>(*y.g, n, dtype::int64) + 1;
    V const pairs = place(parts_of_y[0], sorted[0]) * places + place(parts_of_y[1], sorted[1]),
            pair = place(parts_of_x[0], sorted[0]) * places + place(parts_of_x[1], sorted[1]);
    V const both = is_among(parts_of_x[0], sorted[0]) & is_among(parts_of_x[1], sorted[1]);
    return both & is_among(pair, sort_t::over(pairs, 0, false));
  }
};
inline constexpr searchsorted_function searchsorted{};
inline constexpr digitize_function digitize{};
inline constexpr isin_t isin{};

}  // namespace ricci
