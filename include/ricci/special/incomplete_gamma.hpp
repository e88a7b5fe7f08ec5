// The regularised incomplete gamma functions, lower and upper.
#pragma once

#include <ricci/special/gamma_slope.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// x^a exp(-x) / Gamma(a + 1), with Stirling's formula where powers would overflow or cancel; log(x / a) - u of
// u = (x - a) / a.
RICCI_HD constexpr double log_of_ratio_less(double a, double x) {
  double const u = (x - a) / a;
  return u < -0.3 ? std::log(x / a) - u : log1p_less(u);
}
RICCI_HD constexpr double gamma_term(double a, double x) {
  if (a < 10) {
    if (x > 1500) return 0;
    double const root = std::exp(-x / 2);  // exp(-x) may vanish where the product does not
    return root * std::pow(x, a) / std::tgamma(a + 1) * root;
  }
  return std::exp(a * log_of_ratio_less(a, x) - stirling_rest(a)) * 0.39894228040143267794 / std::sqrt(a);
}
// By the power series, whose terms are positive (DLMF 8.11.4), and by the continued fraction (8.9.2) from behind: so
// many terms as make both right to the last digits where x is near a.
RICCI_HD constexpr double lower_by_series(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; term > 1e-17 * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return gamma_term(a, x) * sum;
}
RICCI_HD constexpr double upper_by_fraction(double a, double x) {
  int const terms = int(60 + 400 / (1 + x) + 12 * std::sqrt(a));
  double f = x + 2. * terms + 1 - a;
  for (int n = terms; n > 0; --n) f = x + 2. * n - 1 - a - n * (n - a) / f;
  return gamma_term(a, x) * a / f;
}
// 1 - x^a / Gamma(a + 1) and the rest of the series, for x < 1.1 and a < 1.1, where the upper one may be small itself
RICCI_HD constexpr double upper_near_zero(double a, double x) {
  double const u = a * std::log(x) - log_gamma_behind_one(a);
  double term = 1, sum = 0;
  for (int n = 1; n < 60; ++n) {
    term *= -x / n;
    sum += term / (a + n);
  }
  return -std::expm1(u) - a * sum * std::exp(u);
}
// For large a, where the sums above would take the root of a terms: half of erfc, and what is left by two terms of an
// expansion in 1 / a (N. Temme, The asymptotic expansion of the incomplete gamma functions, 1979; DLMF 8.12.3), with
// their coefficients' power series in eta, (x / a - 1 - log(x / a)) = eta^2 / 2. From a = 1e6 on eta is below 0.04
// where the result is neither 0 nor 1.
RICCI_HD constexpr double by_normal_tail(double a, double x, bool upper) {
  double const half = -log_of_ratio_less(a, x);
  if (!(half * a < 800)) return (x > a) == upper ? 0 : 1;
  double const eta = x > a ? std::sqrt(2 * half) : -std::sqrt(2 * half);
  constexpr double c[] = {-1. / 3, 1. / 12, -2. / 135, 1. / 864, 1. / 2835, -139. / 777600};
  constexpr double d[] = {-1. / 540, -1. / 288, 1. / 378};
  double const first = c[0] + eta * (c[1] + eta * (c[2] + eta * (c[3] + eta * (c[4] + eta * c[5]))));
  double const second = d[0] + eta * (d[1] + eta * d[2]);
  double const rest = std::exp(-half * a) * 0.39894228040143267794 / std::sqrt(a) * (first + second / a);
  double const z = eta * std::sqrt(a / 2);
  return upper ? 0.5 * std::erfc(z) + rest : 0.5 * std::erfc(-z) - rest;
}
RICCI_HD constexpr double incomplete_gamma(double a, double x, bool upper) {
  if (!(a >= 0 && x >= 0)) return not_a_number;
  if (a == 0) return x > 0 ? (upper ? 0. : 1.) : not_a_number;
  if (x == 0) return upper ? 1 : 0;
  if (a == infinity) return x == infinity ? not_a_number : upper ? 1. : 0.;
  if (x == infinity) return upper ? 0 : 1;
  if (a >= 1e6) return by_normal_tail(a, x, upper);
  if (x < 1.1 && a < 1.1 && upper) return upper_near_zero(a, x);
  if (x < (a > 1 ? a : 1.)) {
    double const y = lower_by_series(a, x);
    return upper ? 1 - y : y;
  }
  double const y = upper_by_fraction(a, x);
  return upper ? y : 1 - y;
}

// x^(a-1) exp(-x) / Gamma(a), the density of the gamma distribution; of a = 0, where all is at 0, what it is beyond.
RICCI_HD constexpr double density_of_gamma(double a, double x) {
  if (!(a >= 0 && x >= 0)) return not_a_number;
  if (x == 0) return a == 1 ? 1 : a > 1 || a == 0 ? 0 : infinity;
  if (a == 0 || a == infinity || x == infinity) return 0;
  double const y = gamma_term(a, x);
  return y > 1e-290 ? y * a / x : std::exp((a - 1) * std::log(x) - x - log_gamma_of(a));
}

}  // namespace RICCI_ABI

// The same. At 0 its derivative by x is a difference of densities, of a - 1 and a, so that those of every order are
// right there.
struct gamma_density_t : special_function<gamma_density_t, 2> {
  static constexpr auto name = "special::gamma_density";
  static constexpr interval domain{0, 100};
  static constexpr double ulp = 512;
  RICCI_HD static constexpr double of(double a, double x) { return density_of_gamma(a, x); }
  static constexpr auto by_first(auto y, auto a, auto x) {
    return y * (log(where((y == 0.) & (x == 0.), 1., where(x == infinity, 1., x))) - digamma_t{}(a));
  }
  static constexpr auto partials(auto y, auto a, auto x) {
    auto const at_0 = x == 0.;
    auto const less = gamma_density_t{}(where(at_0 & (a >= 1.), a - 1., 1.), where(at_0, x, 1.));
    auto const by_x = where(at_0, where((a < 1.) & (a > 0.), -infinity, less - where(a < 1., 1., y)),
                            y * ((a - 1.) / where(at_0, 1., x) - 1.));
    return each{by_first(y, a, x), by_x};
  }
};
// The derivative of the lower one by a, x > 0.
struct gammainc_slope_t : slope_call<gammainc_slope_t> {
  static constexpr auto name = "slope_of_gammainc";
  static constexpr core_signature core{"(),()->()"};
  RICCI_HD static constexpr double of(double a, double x) {
    double const part = x == 0 || x == infinity ? 0 : gamma_term(a, x) * a;
    return a > 0 && part == 0 ? 0 : -slope_of_log_gamma(a, std::log(x)) * part;
  }
  template <class V>
  static constexpr V by_last(ir::application<V> const& at) {
    V const a = at.operand(0), x = at.operand(1);
    return gamma_density_t::by_first(gamma_density_t{}(a, x), a, x);
  }
};
// The probability below x of the gamma distribution with parameter a. The error in the tails grows with the logarithm
// of the result, the time near x = a with sqrt(a) up to a = 1e6. First derivatives by a, of every order by x.
struct gammainc_t : special_function<gammainc_t, 2> {
  static constexpr auto name = "special::gammainc";
  static constexpr interval domain{0, 300};
  static constexpr double ulp = 512;
  RICCI_HD static constexpr double of(double a, double x) { return incomplete_gamma(a, x, false); }
  static constexpr auto partials(auto y, auto a, auto x) {
    return each{gammainc_slope_t::over_values(y, a, x), gamma_density_t{}(a, x)};
  }
};
// 1 minus that.
struct gammaincc_t : special_function<gammaincc_t, 2> {
  static constexpr auto name = "special::gammaincc";
  static constexpr interval domain{0, 100};
  static constexpr double ulp = 512;
  RICCI_HD static constexpr double of(double a, double x) { return incomplete_gamma(a, x, true); }
  static constexpr auto partials(auto y, auto a, auto x) {
    return each{-gammainc_slope_t::over_values(y, a, x), -gamma_density_t{}(a, x)};
  }
};
inline constexpr gammainc_t gammainc{};
inline constexpr gammaincc_t gammaincc{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
