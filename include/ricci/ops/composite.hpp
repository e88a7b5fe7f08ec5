// Reductions that are formulas of others (elementwise ones: composite_functions.hpp). They are expanded where they are
// recorded, so they have no rules of their own.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/reduce.hpp>

namespace ricci {

// `rc::stop_gradient(x)`: x, taken for a constant by derivatives.
struct stop_gradient_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "stop_gradient";
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<stop_gradient_t>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context&, no_attributes, shape_t const& x) {
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    return ir::record<stop_gradient_t, Mode>(*x.g, x.type(), x.shape_id(), {&x.id, 1});
  }
};
inline constexpr stop_gradient_t stop_gradient{};

namespace ir {

template <class Op, class V>
constexpr V reduced(V x, int mask, bool keep) {
  V const y = Op::over(x, mask);
  return keep ? reshape(y, intern(*x.g, shapes::reduced(x.shape(), mask, true))) : y;
}
// |x|^2, real
template <class V>
constexpr V square_of_magnitude(V x) {
  return is_complex(x.type()) ? V(square(real(x)) + square(imag(x))) : V(square(x));
}
// how many elements the axes of x in `mask` have, as a scalar of the graph
template <class Mode>
constexpr value<Mode> count_over(value<Mode> x, int mask) {
  index_t n = 1;
  for (int k = 0; k < x.rank(); ++k)
    if (mask >> k & 1) n = times(*x.g, n, x.shape().extent[k]);
  return number<Mode>(*x.g, n, x.type());
}
// the largest element, as a constant to shift by; 0 where it is not finite
template <class V>
constexpr V shift_of(V x, int mask) {
  V const m = stop_gradient_t::record(no_attributes{}, reduced<max_t>(x, mask, true));
  return where(isfinite(m), m, 0.);
}

}  // namespace ir

// Reductions that are formulas; they take integers as double. What is not computed in its own type is rounded to it
// once.
template <class Derived>
struct composite_reduction : takes_axes<Derived> {
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    dtype const type = arithmetic_type(floating_type_for(x.type()));
    return ir::cast(Derived::formula(ir::cast(x, type), a.mask(x.rank()), a.keepdims),
                    Derived::type_of_result(x.type()));
  }
};
// Those whose results are real, also of complex numbers.
template <class Derived>
struct reduction_of_magnitudes : composite_reduction<Derived> {
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return component_type(floating_type_for(t)); }
};

// The sum over the number of elements; NaN where there are none.
struct mean_t : composite_reduction<mean_t> {
  static constexpr auto name = "mean";
  static constexpr bool takes_complex = true;
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    return ir::reduced<sum_t>(x, mask, keep) / ir::count_over(x, mask);
  }
};
// `rc::correction(1)`: variances are divided by n - 1 in place of n.
template <class N>
struct correction_t {
  N number;
};
template <class N>
requires operands<N>
constexpr correction_t<N> correction(N const& n) { return {n}; }
template <class Op>
struct corrected;  // (ops/statistics.hpp)
template <class Derived>
struct composite_deviation : reduction_of_magnitudes<Derived> {
  using reduction_of_magnitudes<Derived>::operator();
  template <class X, class N, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>, correction_t<N> c) const {
    return call_operation<corrected<Derived>>(over_axes<false, A...>{}, static_cast<X&&>(x), c.number);
  }
  template <class X, class N, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>, keepdims_t,
                                                              correction_t<N> c) const {
    return call_operation<corrected<Derived>>(over_axes<true, A...>{}, static_cast<X&&>(x), c.number);
  }
  template <class X, class N>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, correction_t<N> c) const {
    return (*this)(static_cast<X&&>(x), axis<>, c);
  }
};

// The mean square deviation from the mean (of complex numbers that of its magnitude): divided by n, or by n less the
// correction that is given.
struct var_t : composite_deviation<var_t> {
  static constexpr auto name = "var";
  template <class V>
  static constexpr V of_variance(V v) {
    return v;
  }
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    return mean_t::formula(ir::square_of_magnitude(V(x - mean_t::formula(x, mask, true))), mask, keep);
  }
};
// The square root of var; the subgradient where it is 0 is 0.
struct std_t : composite_deviation<std_t> {
  static constexpr auto name = "std";
  template <class V>
  static constexpr V of_variance(V v) {
    return sqrt(v);
  }
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    return sqrt(var_t::formula(x, mask, keep));
  }
};
// log(sum(exp(x))) without overflow.
struct logsumexp_t : composite_reduction<logsumexp_t> {
  static constexpr auto name = "logsumexp";
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    V const m = ir::shift_of(x, mask);
    V const y = log(ir::reduced<sum_t>(V(exp(x - m)), mask, true)) + m;
    return keep ? y : ir::reshape(y, ir::intern(*x.g, shapes::reduced(x.shape(), mask, false)));
  }
};
// The Euclidean (of matrices: Frobenius) norm, the root of the sum of squares of magnitudes; the subgradient at 0 is 0.
// Along an axis it takes rc::axis<1>; a number alone, `norm(x, 1)`, is an order in NumPy and an axis of other
// reductions here, so it is neither, but a compile error.
struct norm_t : reduction_of_magnitudes<norm_t> {
  static constexpr auto name = "norm";
  static constexpr bool has_orders = true;
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    return sqrt(ir::reduced<sum_t>(ir::square_of_magnitude(x), mask, keep));
  }
};
inline constexpr norm_t norm{};
inline constexpr mean_t mean{};
inline constexpr var_t var{};
inline constexpr std_t std{};
inline constexpr logsumexp_t logsumexp{};

}  // namespace ricci
