// The inverses of the incomplete gamma and beta functions: quantiles of the gamma and the beta distribution.
#pragma once

#include <ricci/special/incomplete_beta.hpp>
#include <ricci/special/incomplete_gamma.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// Newton's method in s, log(x) or log(x / (1 - x)), for the logarithm of a probability: along s both distributions have
// log-concave densities, so that the logarithms of what lies below and above are concave (A. Prekopa, Logarithmic
// concave measures and functions, 1973), and steps between bounds that close in converge from everywhere.
struct value_and_slope {
  double value, slope;
};
template <class F>
RICCI_HD constexpr double root_of_increasing(double s, double low, double high, F const& f) {
  for (int n = 0; n < 200; ++n) {
    value_and_slope const at = f(s);
    if (at.value == 0) return s;
    (at.value < 0 ? low : high) = s;
    double next = s - at.value / at.slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    bool const is_near = std::abs(next - s) <= 1e-15 * (1 + std::abs(s));
    s = next;
    if (is_near) break;
  }
  return s;
}
// x with `p` below it, or above it; of p above 1/2 by 1 - p on the other side, which is exact.
RICCI_HD constexpr double gamma_quantile(double a, double p, bool upper) {
  if (!(a > 0 && a < infinity && p >= 0 && p <= 1)) return not_a_number;
  if (p == 0 || p == 1) return (p == 1) == upper ? 0 : infinity;
  if (p > 0.5) p = 1 - p, upper = !upper;
  auto const at = [=](double x) {
    double const y = incomplete_gamma(a, x, upper), g = std::log(y / p);
    return value_and_slope{upper ? -g : g, gamma_term(a, x) * a / y};
  };
  double x = std::exp(root_of_increasing(std::log(a), -746, 709, [&](double s) { return at(std::exp(s)); }));
  if (x < std::numeric_limits<double>::min() || x > 1e307) return x;
  auto const last = at(x);  // the exponential has lost digits
  double const step = last.value / last.slope;
  return std::abs(step) < 1e-3 ? x - x * step : x;
}
RICCI_HD constexpr double beta_quantile(double a, double b, double p, bool upper) {
  if (!(a > 0 && b > 0 && a < infinity && b < infinity && p >= 0 && p <= 1)) return not_a_number;
  if (p == 0 || p == 1) return (p == 1) == upper ? 0 : 1;
  if (p > 0.5) p = 1 - p, upper = !upper;
  if (upper) {
    double const t = a;
    a = b, b = t;
  }
  auto const at = [=](double x, double y) {
    double const z = incomplete_beta(a, b, x, y, false);
    return value_and_slope{std::log(z / p), beta_term(a, b, x, y, below_center(a, b, x, y)) / z};
  };
  double const center = std::log(a) - std::log(b);
  double const s =
      root_of_increasing(center < -700  ? -700
                         : center > 700 ? 700
                                        : center,
                         -746, 746, [&](double t) { return at(1 / (1 + std::exp(-t)), 1 / (1 + std::exp(t))); });
  double x = 1 / (1 + std::exp(-s)), y = 1 / (1 + std::exp(s));
  if (x >= std::numeric_limits<double>::min() && y >= std::numeric_limits<double>::min()) {
    auto const last = at(x, y);
    double const step = last.value / last.slope;
    if (std::abs(step) < 1e-3) {
      x -= x * y * step, y = x > 0.5 ? y + x * y * step : 1 - x;
      if (x > 0.5) x = 1 - y;
    }
  }
  return upper ? y : x;
}

}  // namespace RICCI_ABI

// x with p below it, or above it.
template <class Derived, bool Upper>
struct quantile_of_gamma : special_function<Derived, 2> {
  static constexpr interval domain{0, 1};
  static constexpr double ulp = 64;
  RICCI_HD static constexpr double of(double a, double p) { return gamma_quantile(a, p, Upper); }
  static constexpr auto partials(auto y, auto a, auto) {
    auto const density = gamma_density_t{}(a, y), slope = gammainc_slope_t::over_values(y, a, y);
    return each{where(y == 0., 0., where(y == infinity, infinity, -slope / density)), (Upper ? -1. : 1.) / density};
  }
};
template <class Derived, bool Upper>
struct quantile_of_beta : special_function<Derived, 3> {
  static constexpr interval domain{0, 1};
  static constexpr double ulp = 64;
  RICCI_HD static constexpr double of(double a, double b, double p) { return beta_quantile(a, b, p, Upper); }
  static constexpr auto partials(auto y, auto a, auto b, auto) {
    auto const density = beta_density_t{}(a, b, y), is_end = (y == 0.) | (y == 1.);
    auto const by = [=](auto slope) { return where(is_end, 0., -slope / density); };
    return each{by(betainc_slope_t<true>::over_values(y, a, b, y)), by(betainc_slope_t<false>::over_values(y, a, b, y)),
                (Upper ? -1. : 1.) / density};
  }
};
// x with gammainc(a, x) = p, the quantile of the gamma distribution, a > 0; infinite for p = 1. NaN outside of 0 <= p
// <= 1. First derivatives by a, of every order by p.
struct gammaincinv_t : quantile_of_gamma<gammaincinv_t, false> {
  static constexpr auto name = "special::gammaincinv";
};
// x with gammaincc(a, x) = q.
struct gammainccinv_t : quantile_of_gamma<gammainccinv_t, true> {
  static constexpr auto name = "special::gammainccinv";
};
// x with betainc(a, b, x) = p, the quantile of the beta distribution, a, b > 0. NaN outside of 0 <= p <= 1. First
// derivatives by a and b, of every order by p.
struct betaincinv_t : quantile_of_beta<betaincinv_t, false> {
  static constexpr auto name = "special::betaincinv";
};
// x with betaincc(a, b, x) = q.
struct betainccinv_t : quantile_of_beta<betainccinv_t, true> {
  static constexpr auto name = "special::betainccinv";
};
inline constexpr gammaincinv_t gammaincinv{};
inline constexpr gammainccinv_t gammainccinv{};
inline constexpr betaincinv_t betaincinv{};
inline constexpr betainccinv_t betainccinv{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
