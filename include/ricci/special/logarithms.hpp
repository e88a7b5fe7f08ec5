// Products with logarithms that are 0 where their factor is, the logistic function and its inverse, and sinc. They are
// formulas of operations in SIMD.
#pragma once

#include <ricci/ops/trigonometry.hpp>
#include <ricci/special/function.hpp>

RICCI_OPTIMIZED
namespace ricci::special {

// x log(y); 0 where x is 0, unless y is NaN. The derivative by x is log(y) also there, as in JAX, and that by y is x /
// y, 0 where both are 0.
struct xlogy_t : elementwise<xlogy_t, 2> {
  static constexpr auto name = "special::xlogy";
  static constexpr std::uint8_t cost = 30;
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 4;
  template <class X>
  RICCI_FN kernel(X x, X y) {
    using scalar::select, std::log;
    return x * X(log(select(x == X(0), select(y == y, X(1), y), y)));
  }
  static constexpr auto partials(auto, auto x, auto y) { return each{log(y), x / where((x == 0.) & (y == 0.), 1., y)}; }
};
// x log(1 + y), likewise.
struct xlog1py_t : elementwise<xlog1py_t, 2> {
  static constexpr auto name = "special::xlog1py";
  static constexpr std::uint8_t cost = 30;
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 4;
  template <class X>
  RICCI_FN kernel(X x, X y) {
    using scalar::select, std::log1p;
    return x * X(log1p(select(x == X(0), select(y == y, X(0), y), y)));
  }
  static constexpr auto partials(auto, auto x, auto y) {
    return each{log1p(y), x / where((x == 0.) & (y == -1.), 1., 1. + y)};
  }
};
// -x log(x), 0 at 0, -inf below. Its derivative at 0 is infinite.
struct entr_t : elementwise<entr_t, 1> {
  static constexpr auto name = "special::entr";
  static constexpr std::uint8_t cost = 30;
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 4;
  template <class X>
  RICCI_FN kernel(X x) {
    using scalar::select, std::log;
    X const zero(0), y = -(x * X(log(select(x <= zero, X(1), x))));
    return select(x < zero, X(-std::numeric_limits<float>::infinity()), y);
  }
  static constexpr auto partials(auto, auto x) { return where(x < 0., 0., -(1. + log(where(x < 0., 1., x)))); }
};
// log(p / (1 - p)), without cancellation near 1/2; at 0 and 1, where it is infinite, so is its derivative.
struct logit_t : composite_function<logit_t> {
  static constexpr auto name = "special::logit";
  template <class V>
  static constexpr V formula(V p) {
    V const near = (p >= 0.3) & (p <= 0.65);
    V const q = where(near, p, 0.5), s = 2. * (q - 0.5);
    V const r = where(near, 0.25, p);
    return where(near, log1p(s) - log1p(-s), log(r) - log1p(-r));
  }
};
// sin(pi x) / (pi x), 1 at 0. Around 0 by its power series, so that derivatives are those of a smooth function there;
// the first term left out is below 1e-19.
struct sinc_t : composite_function<sinc_t> {
  static constexpr auto name = "special::sinc";
  template <class V>
  static constexpr V formula(V x) {
    V const u = 3.14159265358979324 * x, near = abs(u) < 0.02;
    V const s = square(V(where(near, u, 0.))), r = where(near, 1., u);
    return where(near, 1. - s / 6. * (1. - s / 20. * (1. - s / 42. * (1. - s / 72.))), sin(r) / r);
  }
};
inline constexpr sinc_t sinc{};
inline constexpr xlogy_t xlogy{};
inline constexpr xlog1py_t xlog1py{};
inline constexpr entr_t entr{};
inline constexpr logit_t logit{};
inline constexpr sigmoid_t expit{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
