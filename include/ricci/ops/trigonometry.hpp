// Trigonometric and hyperbolic functions and their inverses; angles in radians. Operands broadcast to one shape; shapes
// that do not are a compile error or a shape_error. Integers enter as floats; outside of its domain a function is NaN.
#pragma once

#include <ricci/ops/math.hpp>

namespace ricci {

struct sin_t : math_function<sin_t, 1> {
  static constexpr auto name = "sin";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain = all_numbers;
  RICCI_FN kernel(auto x) {
    using std::sin;
    return sin(x);
  }
  static constexpr auto partials(auto y, auto x);
};
struct cos_t : math_function<cos_t, 1> {
  static constexpr auto name = "cos";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain = all_numbers;
  RICCI_FN kernel(auto x) {
    using std::cos;
    return cos(x);
  }
  static constexpr auto partials(auto y, auto x);
};
struct tan_t : math_function<tan_t, 1> {
  static constexpr auto name = "tan";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr std::uint8_t cost = 16;
  static constexpr interval domain = all_numbers;
  RICCI_FN kernel(auto x) {
    using std::tan;
    return tan(x);
  }
  static constexpr auto partials(auto y, auto) { return 1. + y * y; }
};
struct tanh_t : math_function<tanh_t, 1> {
  static constexpr auto name = "tanh";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-20, 20};
  RICCI_FN kernel(auto x) {
    using std::tanh;
    return tanh(x);
  }
  static constexpr auto partials(auto y, auto) { return 1. - y * y; }
};
struct sinh_t : math_function<sinh_t, 1> {
  static constexpr auto name = "sinh";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-710.4758600739439, 710.4758600739439};
  RICCI_FN kernel(auto x) {
    using std::sinh;
    return sinh(x);
  }
  static constexpr auto partials(auto y, auto x);
};
struct cosh_t : math_function<cosh_t, 1> {
  static constexpr auto name = "cosh";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-710.4758600739439, 710.4758600739439};
  RICCI_FN kernel(auto x) {
    using std::cosh;
    return cosh(x);
  }
  static constexpr auto partials(auto y, auto x);
};
struct asin_t : math_function<asin_t, 1> {
  static constexpr auto name = "asin";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-1, 1};
  RICCI_FN kernel(auto x) {
    using std::asin;
    return asin(x);
  }
  static constexpr auto partials(auto, auto x) { return rsqrt(1. - x * x); }
};
struct acos_t : math_function<acos_t, 1> {
  static constexpr auto name = "acos";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-1, 1};
  RICCI_FN kernel(auto x) {
    using std::acos;
    return acos(x);
  }
  static constexpr auto partials(auto, auto x) { return -rsqrt(1. - x * x); }
};
struct atan_t : math_function<atan_t, 1> {
  static constexpr auto name = "atan";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-1e17, 1e17};
  RICCI_FN kernel(auto x) {
    using std::atan;
    return atan(x);
  }
  static constexpr auto partials(auto, auto x) { return 1. / (1. + x * x); }
};
struct asinh_t : math_function<asinh_t, 1> {
  static constexpr auto name = "asinh";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain = all_numbers;
  RICCI_FN kernel(auto x) {
    using std::asinh;
    return asinh(x);
  }
  static constexpr auto partials(auto, auto x) { return rsqrt(x * x + 1.); }
};
struct acosh_t : math_function<acosh_t, 1> {
  static constexpr auto name = "acosh";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{1, largest_number};
  RICCI_FN kernel(auto x) {
    using std::acosh;
    return acosh(x);
  }
  // two roots: one of the product would be on the other branch for complex numbers on the left
  static constexpr auto partials(auto, auto x) { return rsqrt(x - 1.) * rsqrt(x + 1.); }
};
struct atanh_t : math_function<atanh_t, 1> {
  static constexpr auto name = "atanh";
  static constexpr bool takes_complex = has_complex_functions;
  static constexpr interval domain{-1, 1};
  RICCI_FN kernel(auto x) {
    using std::atanh;
    return atanh(x);
  }
  static constexpr auto partials(auto, auto x) { return 1. / (1. - x * x); }
};
// The angle of the point (b, a), in [-pi, pi].
struct atan2_t : math_function<atan2_t, 2> {
  static constexpr auto name = "atan2";
  static constexpr std::uint8_t cost = 20;
  static constexpr interval domain = all_numbers;
  RICCI_FN kernel(auto a, auto b) {
    using std::atan2;
    return atan2(a, b);
  }
  static constexpr auto partials(auto, auto a, auto b) {
    auto const r = 1. / (a * a + b * b);
    return each{b * r, -(a * r)};
  }
};

inline constexpr sin_t sin{};
inline constexpr cos_t cos{};
inline constexpr tan_t tan{};
inline constexpr tanh_t tanh{};
inline constexpr sinh_t sinh{};
inline constexpr cosh_t cosh{};
inline constexpr asin_t asin{};
inline constexpr acos_t acos{};
inline constexpr atan_t atan{};
inline constexpr asinh_t asinh{};
inline constexpr acosh_t acosh{};
inline constexpr atanh_t atanh{};
inline constexpr atan2_t atan2{};

constexpr auto sin_t::partials(auto, auto x) { return cos(x); }
constexpr auto cos_t::partials(auto, auto x) { return -sin(x); }
constexpr auto sinh_t::partials(auto, auto x) { return cosh(x); }
constexpr auto cosh_t::partials(auto, auto x) { return sinh(x); }

}  // namespace ricci
