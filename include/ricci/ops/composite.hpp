// Operations that are formulas of others. They are expanded where they are recorded, so they have no rules of their
// own.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/trigonometry.hpp>

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
  return where(abs(m) < __builtin_inf(), m, 0.);
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
    dtype const type = type_of_result(x.type());
    return ir::cast(Derived::formula(ir::cast(x, arithmetic_type(type)), a.mask(x.rank()), a.keepdims), type);
  }
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
struct composite_deviation : composite_reduction<Derived> {
  using composite_reduction<Derived>::operator();
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

// The mean square deviation from the mean: divided by n, or by n less the correction that is given.
struct var_t : composite_deviation<var_t> {
  static constexpr auto name = "var";
  template <class V>
  static constexpr V of_variance(V v) {
    return v;
  }
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    return mean_t::formula(V(square(x - mean_t::formula(x, mask, true))), mask, keep);
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
// The Euclidean (of matrices: Frobenius) norm, the root of the sum of squares; the subgradient at 0 is 0.
struct norm_t : composite_reduction<norm_t> {
  static constexpr auto name = "norm";
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    return sqrt(ir::reduced<sum_t>(V(square(x)), mask, keep));
  }
};
inline constexpr norm_t norm{};
inline constexpr mean_t mean{};
inline constexpr var_t var{};
inline constexpr std_t std{};
inline constexpr logsumexp_t logsumexp{};

// exp(x) over its sum along the axes (the last one, where none is named), without overflow; the shape stays.
struct softmax_t {
  static constexpr auto name = "softmax";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return (*this)(static_cast<X&&>(x), axis<-1>);
  }
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<softmax_t>(over_axes<true, A...>{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    if (a.mask(x.rank) < 0) c.fail();
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    dtype const type = type_of_result(x.type());
    return ir::cast(formula(ir::cast(x, arithmetic_type(type)), a.mask(x.rank())), type);
  }
  template <class V>
  static constexpr V formula(V x, int mask) {
    V const e = exp(x - ir::shift_of(x, mask));
    return e / ir::reduced<sum_t>(e, mask, true);
  }
};
inline constexpr softmax_t softmax{};

// Elementwise functions that are formulas of others: no ulp is promised. Integers enter as double.
template <class Derived, int Arity = 1>
struct composite_function {
  static constexpr bool takes_complex = false;
  template <class... T>
  static constexpr dtype operand_type(T... t) {
    return floating_type_for(promote_all(t...));
  }
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return operand_type(t...);
  }
  template <class... X>
  requires(sizeof...(X) == Arity && operands<X...>) RICCI_INLINE constexpr auto operator()(X&&... x) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x)...);
  }
  template <class Context, class... Shapes>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& first, Shapes const&... rest) {
    shape_t s = first;
    ((s = shapes::broadcast(c, s, rest)), ...);
    return s;
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> first, V... rest) {
    dtype const type = arithmetic_type(operand_type(first.type(), rest.type()...));
    return ir::cast(Derived::formula(ir::cast(first, type), ir::cast(rest, type)...),
                    Derived::type_of_result(first.type(), rest.type()...));
  }
};
// x sigmoid(x), also called swish.
struct silu_t : composite_function<silu_t> {
  static constexpr auto name = "silu";
  template <class V>
  static constexpr V formula(V x) {
    return x * sigmoid(x);
  }
};
// x times the probability that a normal variable is below x, by the approximation with tanh (as jax.nn.gelu does unless
// told otherwise): x (1 + tanh(u)) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3) (D. Hendrycks, K. Gimpel, Gaussian
// error linear units, 2016), at most 5e-4 off. (1 + tanh(u)) / 2 is sigmoid(2 u), which keeps its digits where u is
// negative.
struct gelu_t : composite_function<gelu_t> {
  static constexpr auto name = "gelu";
  template <class V>
  static constexpr V formula(V x) {
    return x * sigmoid(1.5957691216057308 * (x + 0.044715 * (x * square(x))));
  }
};
// The same without approximation, by the error function.
struct gelu_erf_t : composite_function<gelu_erf_t> {
  static constexpr auto name = "gelu_erf";
  template <class V>
  static constexpr V formula(V x) {
    return 0.5 * x * (1. + erf(0.70710678118654752 * x));
  }
};
// log(exp(a) + exp(b)) without overflow: the larger operand and softplus of minus the distance, so that all derivatives
// are right where both are equal, too. Infinities of one sign are what they are.
struct logaddexp_t : composite_function<logaddexp_t, 2> {
  static constexpr auto name = "logaddexp";
  template <class V>
  static constexpr V formula(V a, V b) {
    V const larger = where(a >= b, a, b), y = larger + softplus(where(a >= b, b - a, a - b));
    return where((a == b) & isinf(a), a, y);
  }
};
// The angle of a complex number in (-pi, pi]; of real ones 0 or pi.
struct angle_t : composite_function<angle_t> {
  static constexpr auto name = "angle";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return component_type(operand_type(t)); }
  template <class V>
  static constexpr V formula(V x) {
    return atan2(imag(x), real(x));
  }
};
// Degrees in radians, and back.
struct deg2rad_t : composite_function<deg2rad_t> {
  static constexpr auto name = "deg2rad";
  template <class V>
  static constexpr V formula(V x) {
    return 0.017453292519943295 * x;
  }
};
struct rad2deg_t : composite_function<rad2deg_t> {
  static constexpr auto name = "rad2deg";
  template <class V>
  static constexpr V formula(V x) {
    return 57.295779513082323 * x;
  }
};
inline constexpr logaddexp_t logaddexp{};
inline constexpr angle_t angle{};
inline constexpr deg2rad_t deg2rad{};
inline constexpr rad2deg_t rad2deg{};
inline constexpr silu_t silu{};
inline constexpr gelu_t gelu{};
inline constexpr gelu_erf_t gelu_erf{};

}  // namespace ricci
