// Calls for derivatives by parameters for which there is no formula of other functions, and numbers that carry their
// derivative, of which some are made. They have a derivative by their last operand (`by_last`); second derivatives by
// the parameters are refused, not wrong.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/special/function.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// A number and its derivative.
struct slope_number {
  double value = 0, slope = 0;

  constexpr slope_number() = default;
  RICCI_HD constexpr slope_number(double v, double s = 0) : value(v), slope(s) {}
  RICCI_HD friend constexpr slope_number operator+(slope_number a, slope_number b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  RICCI_HD friend constexpr slope_number operator-(slope_number a, slope_number b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  RICCI_HD friend constexpr slope_number operator*(slope_number a, slope_number b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  RICCI_HD friend constexpr slope_number operator/(slope_number a, slope_number b) {
    double const y = a.value / b.value;
    return {y, (a.slope - y * b.slope) / b.value};
  }
};
RICCI_HD constexpr double value_of(double x) { return x; }
RICCI_HD constexpr double value_of(slope_number x) { return x.value; }
RICCI_HD constexpr double power(double q, double s) { return std::pow(q, s); }
RICCI_HD constexpr slope_number power(double q, slope_number s) {
  double const y = std::pow(q, s.value);
  return {y, y * std::log(q) * s.slope};
}

}  // namespace RICCI_ABI

// not constexpr: reached where a derivative of a derivative is asked for, while compiling or where it is recorded
inline void special_functions_have_first_derivatives_alone_by_such_a_parameter() {}

template <class Derived>
struct slope_call : core_call<Derived> {
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }

  RICCI_FN run(auto const&, auto const& a, auto const& b, auto const& y) {
    using T = std::remove_cvref_t<decltype(y())>;
    y() = static_cast<T>(Derived::of(static_cast<double>(a()), static_cast<double>(b())));
  }
  RICCI_FN run(auto const&, auto const& a, auto const& b, auto const& c, auto const& y) {
    using T = std::remove_cvref_t<decltype(y())>;
    y() = static_cast<T>(Derived::of(static_cast<double>(a()), static_cast<double>(b()), static_cast<double>(c())));
  }
  // of values of the graph that have the type and the shape of y
  template <class V, class... X>
  static constexpr V over_values(V y, X... x) {
    V operands[] = {V(x)...};
    return Derived::over(y.type(), operands);
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    int const last = at.count() - 1;
    for (int k = 0; k < last; ++k)
      if (t[k]) refuse<V>();
    return t[last] ? V(t[last] * Derived::by_last(at)) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    int const last = at.count() - 1;
    for (int k = 0; k < last; ++k)
      if (!is_constant(at.operand(k))) refuse<V>();
    out[last] = ct * Derived::by_last(at);
  }

 private:
  // a number, in whatever type and shape
  template <class V>
  static constexpr bool is_constant(V x) {
    while (x.ins().count == 1) x = x.operand(0);
    return x.ins().op->kind == ir::op_kind::literal;
  }
  template <class V>
  static constexpr void refuse() {
    if constexpr (V::mode::runs)
      core::raise<value_error>(core::text() << Derived::name << ": there is no second derivative by this parameter");
    else
      special_functions_have_first_derivatives_alone_by_such_a_parameter();
  }
};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
