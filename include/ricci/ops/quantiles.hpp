// `rc::quantile(x, .9, rc::axis<0>)`, `rc::percentile(x, 90.)`, `rc::median(x)`: by sorting, and linear between two
// elements, as in NumPy. A NaN among the elements gives NaN, or is left out by `rc::nanquantile(x, .9)`,
// `rc::nanpercentile(x, 90.)` and `rc::nanmedian(x)`; of no elements there is none: an index_error.
#pragma once

#include <ricci/ops/floating.hpp>
#include <ricci/ops/sort.hpp>
#include <ricci/ops/told.hpp>

namespace ricci {

namespace sorting {

// The elements along the axes in `mask`, sorted, as the last axis: (..., n).
template <class V>
constexpr V gathered_and_sorted(V x, int mask) {
  auto& g = *x.g;
  index_t axes[max_rank]{};
  shape_t s{};
  index_t n = 1;
  int k = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < x.rank(); ++i)
      if ((mask >> i & 1) == pass) {
        axes[k++] = i;
        if (pass == 0)
          s.push(x.shape().extent[i]);
        else
          n = ir::times(g, n, x.shape().extent[i]);
      }
  s.push(n);
  x = ir::reshape(ir::permute(x, axes, x.rank()), ir::intern(g, s));
  return sort_t::over(x, s.rank - 1, false);
}
// A type that shows that nothing lies along an axis in `mask` does not fit; where it shows later it is an index_error.
template <class Context>
constexpr void require_elements(Context& c, shape_t const& x, int mask) {
  if constexpr (!requires { c.g; })
    for (int k = 0; k < x.rank; ++k)
      if ((mask >> k & 1) && x.extent[k] == 0) c.fail();
}
// From one element to the next, t of the way. Between an infinite and another element no difference is a number, so
// that the lower one stays where it is infinite.
template <class V>
constexpr V between(V lower, V upper, V t) {
  V const moves = (t > 0.) & logical_not(isinf(lower) & (upper != -lower));
  return where(moves, lower + (upper - lower) * t, lower);
}
// y, or NaN where there is one, which is the last
template <class V>
constexpr V unless_nan(V sorted, V y) {
  int const axis = sorted.rank() - 1;
  V const last = ir::element_of(sorted, axis, ir::plus(*sorted.g, sorted.shape().extent[axis], -1));
  return where(last == last, y, last);
}

inline namespace RICCI_ABI {
// (no constant expression: a compile error in a traced function)
template <class Op>
RICCI_COLD void asks_for_a_part_that_is_not_within_all(int whole) {
  core::raise<index_error>(core::text() << Op::name << ": q is not within 0 and " << whole);
}
}  // namespace RICCI_ABI
// Whether q, where it is a plain number, is within 0 and `Whole`.
template <class Op, int Whole, class Q>
RICCI_INLINE constexpr void require_part([[maybe_unused]] Q const& q) {
  if constexpr (std::is_arithmetic_v<Q>)
    if (!(q >= Q(0) && double(q) <= double(Whole))) asks_for_a_part_that_is_not_within_all<Op>(Whole);
}

// The mean of two elements, also of the least numbers and the greatest. Equal ones share its derivative, as in JAX.
template <class V>
constexpr V mean_of_two(V a, V b) {
  return where(a == b, maximum(a, b), .5 * a + .5 * b);
}

}  // namespace sorting

namespace sorting {

// The base of medians: of no elements there is none.
template <class Derived>
struct median_of : composite_reduction<Derived>, ir::operation_of_kind<ir::op_kind::alias, 0> {
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    require_elements(c, x, a.mask(x.rank));
    return composite_reduction<Derived>::shape_of(c, a, x);
  }
};

}  // namespace sorting

// The element in the middle, or the mean of the two.
struct median_t : sorting::median_of<median_t> {
  static constexpr auto name = "median";
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    auto& g = *x.g;
    V const s = sorting::gathered_and_sorted(x, mask);
    int const axis = s.rank() - 1;
    index_t const n = s.shape().extent[axis];
    ir::needs_elements<median_t>(s, axis, 1);
    V const a = ir::element_of(s, axis, ir::divide(g, ir::plus(g, n, -1), 2)),
            b = ir::element_of(s, axis, ir::divide(g, n, 2));
    V const y = sorting::unless_nan(s, sorting::mean_of_two(a, b));
    return ir::reshape(y, ir::intern(g, shapes::reduced(x.shape(), mask, keep)));
  }
};
inline constexpr median_t median{};
// That of the elements that are not NaN, which come first once they are sorted; NaN where there are none.
struct nanmedian_t : sorting::median_of<nanmedian_t> {
  static constexpr auto name = "nanmedian";
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    auto& g = *x.g;
    V const s = sorting::gathered_and_sorted(x, mask);
    int const axis = s.rank() - 1;
    ir::needs_elements<nanmedian_t>(s, axis, 1);
    V const n = sum_t::over(ir::cast(V(s == s), dtype::int64), 1 << axis);
    auto const element = [&](V k) {
      V const y = sorting::gathered(s, ir::expand(k, axis), axis);
      return ir::reshape(y, n.shape_id());
    };
    V const a = element(V(maximum(floor_divide(n - 1, 2), 0))),
            b = element(V(minimum(floor_divide(n, 2), maximum(n - 1, 0))));
    return ir::reshape(sorting::mean_of_two(a, b), ir::intern(g, shapes::reduced(x.shape(), mask, keep)));
  }
};
inline constexpr nanmedian_t nanmedian{};

// Over the axes that are named, else all; q, within 0 and `Whole`, is a number, or of order 1: then its axis is the
// first of the result, (..., n), (k,) -> (k, ...). Another q is an index_error.
template <int Whole>
struct quantile_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Whole == 1 ? "quantile" : "percentile";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t, dtype) { return floating_type_for(t); }
  template <class X, class Q, index_t... A>
  requires operands<X, Q> RICCI_INLINE constexpr auto operator()(X&& x, Q&& q, axes_t<A...> = {}) const {
    sorting::require_part<quantile_t, Whole>(q);
    return call_operation<quantile_t>(over_axes<false, A...>{}, static_cast<X&&>(x), static_cast<Q&&>(q));
  }
  template <class X, class Q, index_t... A>
  requires operands<X, Q> RICCI_INLINE constexpr auto operator()(X&& x, Q&& q, axes_t<A...>, keepdims_t) const {
    sorting::require_part<quantile_t, Whole>(q);
    return call_operation<quantile_t>(over_axes<true, A...>{}, static_cast<X&&>(x), static_cast<Q&&>(q));
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "quantile and percentile take a tensor, then which, a number or a tensor of order 1, then the axes: "
      "rc::quantile(x, .5), rc::quantile(x, rc::asarray<double>({.1, .9}), rc::axis<0>), with rc::keepdims behind them "
      "or without")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x, shape_t s) {
    int const mask = a.mask(x.rank);
    if (mask < 0 || s.rank > 1 || s.rank + x.rank > max_rank) return c.fail(), shape_t{};
    sorting::require_elements(c, x, mask);
    shape_t const rest = shapes::reduced(x, mask, a.keepdims);
    for (int k = 0; k < rest.rank; ++k) s.push(rest.extent[k]);
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x, ir::value<Mode> q) {
    using V = ir::value<Mode>;
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<quantile_t>(), x.shape_id(), q.shape_id()};
    int const shape = ir::intern(g, shape_of(c, a, x.shape(), q.shape()));
    dtype const type = floating_type_for(x.type()), computed = arithmetic_type(type);
    V const s = sorting::gathered_and_sorted(ir::cast(x, computed), a.mask(x.rank()));
    int const axis = s.rank() - 1;
    index_t const n = s.shape().extent[axis];
    ir::needs_elements<quantile_t>(s, axis, 1);
    V const greatest = ir::number<Mode>(g, ir::plus(g, n, -1), dtype::float64);
    V const part = ir::cast(q, dtype::float64) / double(Whole);  // exactly 1 for all of it
    V const at = part * greatest, inside = (part >= 0.) & (part <= 1.), low = floor(at);
    V const i = ir::cast(V(where(inside, low, greatest + 1.)), dtype::int64);  // outside there is no element
    V const next = minimum(i + 1, ir::number<Mode>(g, ir::plus(g, n, -1), dtype::int64));
    V t = ir::cast(V(at - low), computed);
    auto const elements = [&](V k) {
      V const y = ir::take<quantile_t>(s, k, axis);
      return q.rank() == 1 ? ir::move_axis(y, axis, 0) : y;
    };
    V const lower = elements(i), upper = elements(next);
    V last = ir::element_of(s, axis, ir::plus(g, n, -1));
    for (int k = 0; q.rank() == 1 && k < axis; ++k) t = ir::expand(t, t.rank());
    V const y = sorting::between(lower, upper, t);
    return ir::cast(ir::reshape(V(where(last == last, y, last)), shape), type);
  }
};
inline constexpr quantile_t<1> quantile{};
inline constexpr quantile_t<100> percentile{};

// The same of the elements that are not NaN, which come first once they are sorted; NaN where there are none.
template <int Whole>
struct nanquantile_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Whole == 1 ? "nanquantile" : "nanpercentile";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t, dtype) { return floating_type_for(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x, shape_t const& q) {
    return quantile_t<Whole>::shape_of(c, a, x, q);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x, ir::value<Mode> q) {
    using V = ir::value<Mode>;
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<nanquantile_t>(), x.shape_id(), q.shape_id()};
    int const shape = ir::intern(g, shape_of(c, a, x.shape(), q.shape()));
    dtype const type = floating_type_for(x.type()), computed = arithmetic_type(type);
    V const s = sorting::gathered_and_sorted(ir::cast(x, computed), a.mask(x.rank()));
    int const axis = s.rank() - 1;
    index_t const n = s.shape().extent[axis];
    ir::needs_elements<nanquantile_t>(s, axis, 1);
    // how many are not NaN, (..., 1); with q of order 1, (k,), positions are (..., k), else (..., 1)
    V const numbers = ir::expand(sum_t::over(ir::cast(V(s == s), dtype::int64), 1 << axis), axis);
    V const greatest = maximum(numbers - 1, 0);
    V const part = ir::cast(q, dtype::float64) / double(Whole);  // exactly 1 for all of it
    V const at = part * ir::cast(greatest, dtype::float64), low = floor(at), inside = (part >= 0.) & (part <= 1.);
    V const within = ir::cast(V(where(inside, low, 0.)), dtype::int64);
    V const i = where(inside, within, ir::number<Mode>(g, n, dtype::int64));  // outside there is no element
    V const lower = sorting::gathered<nanquantile_t>(s, i, axis),
            upper = sorting::gathered<nanquantile_t>(s, V(minimum(within + 1, greatest)), axis);
    V const t = ir::cast(V(at - low), computed);
    V const y = sorting::between(lower, upper, t);
    return ir::cast(ir::reshape(q.rank() == 1 ? ir::move_axis(y, axis, 0) : y, shape), type);
  }
};
namespace sorting {

template <int Whole, bool Keep, class X, class Q, index_t... A>
RICCI_INLINE constexpr auto nanquantile_of(X&& x, Q&& q, axes_t<A...>) {
  require_part<nanquantile_t<Whole>, Whole>(q);
  return call_operation<nanquantile_t<Whole>>(over_axes<Keep, A...>{}, static_cast<X&&>(x), static_cast<Q&&>(q));
}

}  // namespace sorting

template <class X, class Q, index_t... A>
requires operands<X, Q> RICCI_INLINE constexpr auto nanquantile(X&& x, Q&& q, axes_t<A...> axes = {}) {
  return sorting::nanquantile_of<1, false>(static_cast<X&&>(x), static_cast<Q&&>(q), axes);
}
template <class X, class Q, index_t... A>
requires operands<X, Q> RICCI_INLINE constexpr auto nanquantile(X&& x, Q&& q, axes_t<A...> axes, keepdims_t) {
  return sorting::nanquantile_of<1, true>(static_cast<X&&>(x), static_cast<Q&&>(q), axes);
}
template <class X, class Q, index_t... A>
requires operands<X, Q> RICCI_INLINE constexpr auto nanpercentile(X&& x, Q&& q, axes_t<A...> axes = {}) {
  return sorting::nanquantile_of<100, false>(static_cast<X&&>(x), static_cast<Q&&>(q), axes);
}
template <class X, class Q, index_t... A>
requires operands<X, Q> RICCI_INLINE constexpr auto nanpercentile(X&& x, Q&& q, axes_t<A...> axes, keepdims_t) {
  return sorting::nanquantile_of<100, true>(static_cast<X&&>(x), static_cast<Q&&>(q), axes);
}

}  // namespace ricci
