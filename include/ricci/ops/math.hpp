// Exponentials, logarithms, powers, roots and what is made of them. Operands broadcast to one shape; shapes that do not
// are a compile error or a shape_error. Integers enter as floats; outside of its domain a function is NaN.
#pragma once

#include <ricci/core/complex_functions.hpp>
#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/complex.hpp>

namespace ricci {

// Those of complex numbers are <complex>'s, which nvcc does not compile for a device, and so not at all.
#if defined(__CUDACC__)
inline constexpr bool has_complex_functions = false;
#else
inline constexpr bool has_complex_functions = true;
#endif

template <class Derived, int Arity>
struct math_function : elementwise<Derived, Arity> {
  static constexpr std::uint8_t cost = 12;
  static constexpr double ulp = 4;

 protected:
  RICCI_FN square_root_of(auto x) {  // a number or a pack
    if constexpr (std::is_floating_point_v<decltype(x)>) {
      return scalar::square_root(x);
    } else {
      using std::sqrt;
      return sqrt(x);
    }
  }
};

struct exp_t : math_function<exp_t, 1> {
  static constexpr auto name = "exp";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-746, 709.782712893384};
  RICCI_FN kernel(auto x) {
    using std::exp;
    return exp(x);
  }
  static constexpr auto partials(auto y, auto) { return y; }
};
// exp(x) - 1 without cancellation near 0.
struct expm1_t : math_function<expm1_t, 1> {
  static constexpr auto name = "expm1";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-38, 709.782712893384};
  RICCI_FN kernel(auto x) {
    using scalar::expm1;
    using std::expm1;
    return expm1(x);
  }
  static constexpr auto partials(auto y, auto) { return y + 1.; }
};
struct log_t : math_function<log_t, 1> {
  static constexpr auto name = "log";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain = no_negative_number;
  RICCI_FN kernel(auto x) {
    using std::log;
    return log(x);
  }
  static constexpr auto partials(auto, auto x) { return 1. / x; }
};
// log(1 + x) without cancellation near 0.
struct log1p_t : math_function<log1p_t, 1> {
  static constexpr auto name = "log1p";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-1, largest_number};
  RICCI_FN kernel(auto x) {
    using scalar::log1p;
    using std::log1p;
    return log1p(x);
  }
  static constexpr auto partials(auto, auto x) { return 1. / (1. + x); }
};
struct exp2_t : math_function<exp2_t, 1> {
  static constexpr auto name = "exp2";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-1075, 1023.9999999999999};
  RICCI_FN kernel(auto x) {
    using scalar::exp2;
    using std::exp2;
    return exp2(x);
  }
  static constexpr auto partials(auto y, auto) { return 0.69314718055994531 * y; }
};
struct log2_t : math_function<log2_t, 1> {
  static constexpr auto name = "log2";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain = no_negative_number;
  RICCI_FN kernel(auto x) {
    using scalar::log2;
    using std::log2;
    return log2(x);
  }
  static constexpr auto partials(auto, auto x) { return 1.4426950408889634 / x; }
};
struct log10_t : math_function<log10_t, 1> {
  static constexpr auto name = "log10";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain = no_negative_number;
  RICCI_FN kernel(auto x) {
    using std::log10;
    return log10(x);
  }
  static constexpr auto partials(auto, auto x) { return 0.43429448190325183 / x; }
};
// The square root; the subgradient at 0 is 0.
struct sqrt_t : math_function<sqrt_t, 1> {
  static constexpr auto name = "sqrt";
  static constexpr bool of_instructions = true, takes_complex = has_complex_functions;
  static constexpr std::uint8_t cost = 6;
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 0.5;
  RICCI_FN kernel(auto x) { return math_function::square_root_of(x); }
  // by the reciprocal, which is one for all g, and for a function that divides by the root
  static constexpr auto pull(auto g, auto y, auto) { return where(y == 0., 0., g * (0.5 * (1. / y))); }
};
struct rsqrt_t : math_function<rsqrt_t, 1> {
  static constexpr auto name = "rsqrt";
  static constexpr bool of_instructions = true, takes_complex = has_complex_functions;
  static constexpr interval domain = no_negative_number;
  RICCI_FN kernel(auto x) {
    using T = decltype(x);
    return scalar::divide(T(1), T(math_function::square_root_of(x)));
  }
  static constexpr auto partials(auto y, auto) { return -0.5 * (y * y * y); }
};
// The cube root, of negative numbers too.
struct cbrt_t : math_function<cbrt_t, 1> {
  static constexpr auto name = "cbrt";
  static constexpr interval domain = all_numbers;
  RICCI_FN kernel(auto x) {
    using std::cbrt;
    return cbrt(x);
  }
  static constexpr auto partials(auto y, auto) { return 1. / (3. * (y * y)); }
};
// The root of a^2 + b^2 without overflow on the way; the subgradient where both are 0 is 0.
struct hypot_t : math_function<hypot_t, 2> {
  static constexpr auto name = "hypot";
  static constexpr interval domain = all_numbers;
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) {
    using std::hypot;
    return hypot(a, b);
  }
  static constexpr auto pull(auto g, auto y, auto a, auto b) {
    return each{where(y == 0., 0., g * (a / y)), where(y == 0., 0., g * (b / y))};
  }
};
// The absolute value; the subgradient at 0 is 0. Of complex numbers it is recorded as the `hypot` of their parts, which
// does not overflow.
struct abs_t : arithmetic<abs_t, 1> {
  static constexpr auto name = "abs";
  static constexpr bool of_instructions = true, takes_complex = true;
  static constexpr dtype result_type(dtype t) { return component_type(t); }
  RICCI_FN kernel(auto a) {
    if constexpr (is_complex_number<decltype(a)>) {
      return hypot_t::kernel(a.real(), a.imag());
    } else {
      using scalar::abs;
      return abs(a);
    }
  }
  static constexpr auto pull(auto g, auto, auto a) { return where(a > 0., g, where(a < 0., -g, 0.)); }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    if (!is_complex(x.type())) return arithmetic::record(no_attributes{}, x);
    ir::value<Mode> parts[] = {real(x), imag(x)};
    return ir::record_elementwise<hypot_t>(parts);
  }
};
// -1, 0 or 1; NaN for NaN. Of a complex number it is recorded as that over its magnitude.
struct sign_t : arithmetic<sign_t, 1> {
  static constexpr auto name = "sign";
  static constexpr bool of_instructions = true, takes_complex = true;
  RICCI_FN kernel(auto a) {
    using T = decltype(a);
    if constexpr (is_complex_number<T>) {
      auto const size = abs_t::kernel(a);
      return size == 0 ? T(0) : T(a.real() / size, a.imag() / size);
    } else {
      using scalar::select;
      return select(a > T(0), T(1), select(a < T(0), T(-1), a));
    }
  }
  static constexpr auto partials(auto, auto) { return none; }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    if (!is_complex(x.type())) return arithmetic::record(no_attributes{}, x);
    ir::value<Mode> const size = abs_t::record(no_attributes{}, x), by = where(size == 0., 1., size);
    return where(size == 0., 0., complex(real(x) / by, imag(x) / by));
  }
};
// The logistic function 1 / (1 + exp(-x)), without overflow on either side.
struct sigmoid_t : math_function<sigmoid_t, 1> {
  static constexpr auto name = "sigmoid";
  static constexpr interval domain{-746, 40};
  RICCI_FN kernel(auto x) {
    using scalar::abs;
    using scalar::select;
    using std::exp;
    using T = decltype(x);
    T const e = exp(-abs(x));
    return select(x < T(0), e, T(1)) / (T(1) + e);
  }
  static constexpr auto partials(auto y, auto) { return y * (1. - y); }
};
// log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)). An operation of its own, since a derivative of that formula would
// lose the curvature at 0, where the parts have kinks that cancel: here it is sigmoid(x), and so are all further ones.
struct softplus_t : math_function<softplus_t, 1> {
  static constexpr auto name = "softplus";
  static constexpr std::uint8_t cost = 24;
  static constexpr interval domain{-746, largest_number};
  RICCI_FN kernel(auto x) {
    using scalar::abs;
    using scalar::select;
    using std::exp;
    using std::log1p;
    using T = decltype(x);
    return select(x < T(0), T(0), x) + log1p(exp(-abs(x)));
  }
  static constexpr auto partials(auto, auto x) { return sigmoid_t{}(x); }
};
// The error function; derivative 2 / sqrt(pi) exp(-x^2).
struct erf_t : math_function<erf_t, 1> {
  static constexpr auto name = "erf";
  static constexpr interval domain{-6, 6};
  RICCI_FN kernel(auto x) {
    using std::erf;
    return erf(x);
  }
  static constexpr auto partials(auto, auto x) { return 1.1283791670955126 * exp_t{}(-(x * x)); }
};

inline constexpr exp_t exp{};
inline constexpr expm1_t expm1{};
inline constexpr log_t log{};
inline constexpr log1p_t log1p{};
inline constexpr exp2_t exp2{};
inline constexpr log2_t log2{};
inline constexpr log10_t log10{};
inline constexpr sqrt_t sqrt{};
inline constexpr cbrt_t cbrt{};
inline constexpr hypot_t hypot{};
inline constexpr abs_t abs{};
inline constexpr sign_t sign{};
inline constexpr rsqrt_t rsqrt{};
inline constexpr sigmoid_t sigmoid{};
inline constexpr erf_t erf{};
inline constexpr softplus_t softplus{};

// a to the power b; of integers an integer, which wraps. An integer to a negative power is the quotient 1 / a^|b|
// without its digits after the point, 0 but for 1 and -1 (and of 0, as where it is divided by 0); where such a power is
// a number beside the tensor, not an element, it is a value_error. The derivative in b is 0 where a is 0, where its
// formula is 0 times log 0.
struct pow_t : math_function<pow_t, 2> {
  static constexpr auto name = "pow";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr std::uint8_t cost = 40;
  static constexpr interval domain = all_numbers;
  static constexpr dtype operand_type(dtype t) { return numeric_type_for(t); }
  RICCI_FN kernel(auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>) {
      return scalar::integer_power(a, b);
    } else if constexpr (is_complex_number<decltype(a)>) {
      return scalar::power(a, b);
    } else {
      using std::pow;
      return pow(a, b);
    }
  }
  using elementwise<pow_t, 2>::operator();
  template <class X, class N>
  requires(operands<X, N> && !value_operands<X, N> && std::is_integral_v<std::remove_cvref_t<N>> &&
           is_integer(own_type<X>())) RICCI_INLINE constexpr auto
  operator()(X&& x, N&& n) const {
    if (scalar::is_negative(n))
      core::raise<value_error>(core::text() << "pow: integers to the negative power " << static_cast<index_t>(n));
    return elementwise<pow_t, 2>::operator()(static_cast<X&&>(x), static_cast<N&&>(n));
  }
  static constexpr auto partials(auto y, auto a, auto b);
};
inline constexpr pow_t pow{};

constexpr auto pow_t::partials(auto y, auto a, auto b) {
  return each{where(b == 0., 0., b * pow(a, b - 1.)), y * log(where(a == 0., 1., a))};
}

}  // namespace ricci
