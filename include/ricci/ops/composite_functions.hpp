// Elementwise functions that are formulas of others. They are expanded where they are recorded, so they have no rules
// of their own.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/trigonometry.hpp>

namespace ricci {

// Derived has `formula(x...)`, of values of one type. No ulp is promised. Integers enter as double.
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
