// The modified Bessel functions of orders 0 and 1, plain and with their exponential growth taken out.
#pragma once

#include <ricci/special/function.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// exp(-|x|) I of the order 0 or 1: below 22 by the power series, whose terms have one sign, and above by the asymptotic
// one, whose least term is below 1e-18 there (DLMF 10.25.2, 10.40.1).
RICCI_HD constexpr double scaled_i(int order, double x) {
  if (std::isnan(x)) return x;
  double const size = x < 0 ? -x : x, sign = order == 1 && x < 0 ? -1 : 1;
  if (size == infinity) return sign * 0.;
  double term = 1, sum = 1;
  if (size < 22) {
    double const square = 0.25 * (x * x);
    for (int k = 1; term > 1e-17 * sum; ++k) {
      term *= square / (k * (k + order));
      sum += term;
    }
    return std::exp(-size) * sum * (order == 1 ? 0.5 * x : 1);
  }
  for (int k = 1; k < 40; ++k) {
    double const odd = 2 * k - 1;
    term *= (odd * odd - 4. * order) / (8 * k * size);
    sum += term;
    if (std::abs(term) < 1e-17) break;
  }
  return sign * 0.39894228040143267794 * sum / std::sqrt(size);
}
RICCI_HD constexpr double unscaled_i(int order, double x) {
  double const size = x < 0 ? -x : x;
  if (size > 720) return std::isnan(x) ? x : order == 1 && x < 0 ? -infinity : infinity;
  double const half = std::exp(0.5 * size);  // twice, as exp(x) overflows before I does
  return scaled_i(order, x) * half * half;
}
// exp(x) K of the order 0 or 1, or K itself: up to 1 by the power series (DLMF 10.31.1, 10.31.2), above by the integral
// of exp(-x (cosh(t) - 1)) cosh(order t) from 0 on (10.32.9) as a sum of equidistant values, whose error is below 1e-17
// for this step (3.5.6: the integrand is entire and decays on both sides).
RICCI_HD constexpr double bessel_k(int order, double x, bool scaled) {
  if (!(x > 0)) return x == 0 ? infinity : not_a_number;
  if (x <= 1) {
    constexpr double euler = 0.57721566490153286061;
    double const square = 0.25 * (x * x), logarithm = std::log(0.5 * x) + euler;
    double term = 1, harmonic = 0, sum = 0;
    double y = 0;
    if (order == 0) {
      for (int k = 0; k < 20; ++k) {
        sum += term * (harmonic - logarithm);
        harmonic += 1. / (k + 1);
        term *= square / ((k + 1.) * (k + 1.));
      }
      y = sum;
    } else {
      for (int k = 0; k < 20; ++k) {
        double const next = harmonic + 1. / (k + 1);
        sum += term * (logarithm - 0.5 * (harmonic + next));
        harmonic = next;
        term *= square / ((k + 1.) * (k + 2.));
      }
      y = 1 / x + 0.5 * x * sum;
    }
    return scaled ? y * std::exp(x) : y;
  }
  if (x == infinity) return 0;
  double const step = x < 4 ? 0.25 : 0.5 / std::sqrt(x);
  double sum = 0.5;
  for (int k = 1; k < 60; ++k) {
    double const t = k * step, s = std::sinh(0.5 * t), rise = 2 * s * s, exponent = x * rise;
    if (exponent > 42) break;
    sum += std::exp(-exponent) * (order == 1 ? 1 + rise : 1);
  }
  return scaled ? sum * step : sum * step * std::exp(-x);
}

}  // namespace RICCI_ABI

// y / x of y = I1(x) times a factor, and with Sign -1 of J1(x): near 0 by the power series (DLMF 10.2.2), so that
// derivatives are those of a smooth function there. The first term left out is below 1e-20 of the sum.
template <int Sign>
constexpr auto over_operand(auto y, auto x, auto factor) {
  auto const near = abs(x) < 0.02;
  auto const s = double(Sign) * square(where(near, x, 0.));
  auto const series = 0.5 * (1. + s / 8. * (1. + s / 24. * (1. + s / 48. * (1. + s / 80.))));
  return where(near, factor * series, y / where(near, 1., x));
}

struct i1_t : special_function<i1_t> {
  static constexpr auto name = "special::i1";
  static constexpr interval domain{-713.98, 713.98};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return unscaled_i(1, x); }
  static constexpr auto partials(auto y, auto x);
};
struct i0_t : special_function<i0_t> {
  static constexpr auto name = "special::i0";
  static constexpr interval domain{-713.98, 713.98};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return unscaled_i(0, x); }
  static constexpr auto partials(auto, auto x) { return i1_t{}(x); }
};
constexpr auto i1_t::partials(auto y, auto x) { return i0_t{}(x)-over_operand<1>(y, x, 1.); }
// exp(-|x|) I1(x) and exp(-|x|) I0(x); of the latter the subgradient at 0 is 0
struct i1e_t : special_function<i1e_t> {
  static constexpr auto name = "special::i1e";
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return scaled_i(1, x); }
  static constexpr auto partials(auto y, auto x);
};
struct i0e_t : special_function<i0e_t> {
  static constexpr auto name = "special::i0e";
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return scaled_i(0, x); }
  static constexpr auto partials(auto y, auto x) { return i1e_t{}(x)-sign(x) * y; }
};
constexpr auto i1e_t::partials(auto y, auto x) { return i0e_t{}(x)-over_operand<1>(y, x, exp(-abs(x))) - sign(x) * y; }

struct k1_t : special_function<k1_t> {
  static constexpr auto name = "special::k1";
  static constexpr interval domain{0, 740};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return bessel_k(1, x, false); }
  static constexpr auto partials(auto y, auto x);
};
struct k0_t : special_function<k0_t> {
  static constexpr auto name = "special::k0";
  static constexpr interval domain{0, 740};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return bessel_k(0, x, false); }
  static constexpr auto partials(auto, auto x) { return -k1_t{}(x); }
};
constexpr auto k1_t::partials(auto y, auto x) { return -k0_t{}(x)-y / x; }
// exp(x) K1(x) and exp(x) K0(x)
struct k1e_t : special_function<k1e_t> {
  static constexpr auto name = "special::k1e";
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 24;
  RICCI_HD static constexpr double of(double x) { return bessel_k(1, x, true); }
  static constexpr auto partials(auto y, auto x);
};
struct k0e_t : special_function<k0e_t> {
  static constexpr auto name = "special::k0e";
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 24;
  RICCI_HD static constexpr double of(double x) { return bessel_k(0, x, true); }
  static constexpr auto partials(auto y, auto x) { return y - k1e_t{}(x); }
};
constexpr auto k1e_t::partials(auto y, auto x) { return y - k0e_t{}(x)-y / x; }

inline constexpr i0_t i0{};
inline constexpr i1_t i1{};
inline constexpr i0e_t i0e{};
inline constexpr i1e_t i1e{};
inline constexpr k0_t k0{};
inline constexpr k1_t k1{};
inline constexpr k0e_t k0e{};
inline constexpr k1e_t k1e{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
