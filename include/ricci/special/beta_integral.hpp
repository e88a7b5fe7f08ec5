// What is computed of the beta distribution beside its distribution function: x^a (1 - x)^b / B(a, b), and integrals of
// the density, which are the function where parameters are large and its derivatives by them. The operands are x and
// y = 1 - x, each of which may have digits that the other has not.
#pragma once

#include <ricci/special/gamma.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// a y - b x = a - (a + b) x, by the smaller of x and y, and with what a + b rounds.
RICCI_HD constexpr double below_center(double a, double b, double x, double y) {
  double const s = a + b, larger = a < b ? b : a, smaller = a < b ? a : b, rest = smaller - (s - larger);
  return x <= y ? -(std::fma(x, s, -a) + x * rest) : std::fma(y, s, -b) + y * rest;
}
// log(Gamma(a + b) / Gamma(a)), right relative to b where b is small: by the recurrence up to 10, then by Stirling's
// formula, of whose rests a small b has the difference by derivatives in between.
RICCI_HD constexpr double log_gamma_ratio(double a, double b) {
  double y = 0;
  for (; a < 10; ++a) y -= std::log1p(b / a);
  double rest = 0;
  if (b < 0.02) {
    double const m = a + b / 2, r = 1 / (m * m);
    rest = -b * r * (1. / 12 - r * (1. / 120 - r * (1. / 252 - r * (1. / 240 - r / 132)))) -
           b * b * b * r * r / 48 * (1 - r / 3 * (1 - r));
  } else {
    rest = stirling_rest(a + b) - stirling_rest(a);
  }
  return y + (a * log1p_less(b / a) - 0.5 * std::log1p(b / a) + rest) + b * std::log(a + b);
}
RICCI_HD constexpr double log_of_part(double x, double y) { return y < 0.5 ? std::log1p(-y) : std::log(x); }

// The following for an a below 10 and a b that is not. (Nothing here calls itself: a device would not know how much
// stack that takes.)
RICCI_HD constexpr double beta_term_of_one_large(double a, double b, double x, double y) {
  double const power = b * (log_of_part(y, x) + log1p_less(a / b));
  if (power < -1500) return 0;
  double const root = std::exp(power / 2), rest = stirling_rest(a + b) - stirling_rest(b);
  double const other = std::exp(rest - 0.5 * std::log1p(a / b)) * a / std::tgamma(1 + a);
  return root * std::pow(x * (a + b), a) * root * other;
}
// x^a y^b / B(a, b), `less` being a y - b x. With both parameters above 10 what is near 1 is raised to large powers in
// logarithms without their linear terms, which cancel.
RICCI_HD constexpr double beta_term(double a, double b, double x, double y, double less) {
  if (a < 10 && b < 10) {
    double const powers = std::exp(a * log_of_part(x, y)) * std::exp(b * log_of_part(y, x));
    return powers * (a / (a + b) * b) * (std::tgamma(1 + a + b) / (std::tgamma(1 + a) * std::tgamma(1 + b)));
  }
  double const u = -less / a, v = less / b;
  if (a >= 10 && b >= 10) {
    double const by_a = u < -0.3 ? std::log(x / a * (a + b)) - u : log1p_less(u);
    double const by_b = v < -0.3 ? std::log(y / b * (a + b)) - v : log1p_less(v);
    double const rest = stirling_rest(a + b) - stirling_rest(a) - stirling_rest(b);
    return std::exp(a * by_a + b * by_b + rest) * std::sqrt(a / (a + b) * b) * 0.39894228040143267794;
  }
  return b < 10 ? beta_term_of_one_large(b, a, y, x) : beta_term_of_one_large(a, b, x, y);
}

// exp(-s) - 1 + s
RICCI_HD constexpr double expm1_less(double s) {
  if (s > 0.5) return std::expm1(-s) + s;
  double sum = 0;
  for (int k = 14; k >= 2; --k) sum = 1 - s / (k + 1) * sum;
  return s * s / 2 * sum;
}
// The integral over the density of what `weight` gives of -log(t / x) and log((1 - t) / y), for t from 0 to x, over
// x^a y^b / B(a, b). Along s = -log(t / x), in which the density is log-concave, by the trapezoidal rule of
// s = exp(pi / 2 sinh(u)) (H. Takahasi, M. Mori, Double exponential formulas for numerical integration, 1974).
template <class Weight>
RICCI_HD constexpr double beta_integral(double a, double b, double x, double y, double less, Weight const& weight) {
  // finer for small parameters, where the density is nearly constant in s over a long way
  int const steps = a < 1 || b < 1 ? 64 : 16;
  double const step = 1. / steps;
  double const odds = x / y, curvature = std::sqrt(b * x) / y;
  double const scale = 1 / ((less > 0 ? less / y : 0) + curvature + (a < 1 ? a : 1.));
  double sum = 0;
  for (int side = -1; side <= 1; side += 2) {
    for (int k = side < 0 ? 1 : 0; k < 6 * steps; ++k) {
      double const u = side * k * step, e = std::exp(u);
      double const s = scale * std::exp(0.78539816339744830962 * (e - 1 / e));
      double const w = odds * -std::expm1(-s), log_rest = std::log1p(w);
      double const power = -less / y * s - b * odds * expm1_less(s) + b * (w > 0.4 ? log_rest - w : log1p_less(w));
      double const more = std::exp(power - log_rest) * weight(s, log_rest) * s * (e + 1 / e);
      sum += more;
      if (std::abs(more) < 1e-18 * std::abs(sum)) break;
    }
  }
  return sum * step * 0.78539816339744830962 / y;
}
// The probability below x.
RICCI_HD constexpr double beta_by_integral(double a, double b, double x, double y, double less) {
  double const all = beta_integral(a, b, x, y, less, [](double, double) { return 1.; });
  return all * beta_term(a, b, x, y, less);
}
// digamma(x) - log(x)
RICCI_HD constexpr double digamma_less(double x) {
  if (x < 10) return digamma_of(x) - std::log(x);
  double const r = 1 / (x * x);
  return -0.5 / x - r * (1. / 12 - r * (1. / 120 - r * (1. / 252 - r * (1. / 240 - r / 132))));
}
// The derivative of the probability below x by a: the integral of log(t) less its mean, below x or, with another sign,
// above, where it has one sign.
RICCI_HD constexpr double slope_of_beta(double a, double b, double x, double y) {
  if (!(a > 0 && b > 0 && x >= 0 && y >= 0)) return not_a_number;
  if (x == 0 || y == 0) return 0;
  double const less = below_center(a, b, x, y), u = -less / a;
  double const ratio = u < -0.3 || u > 1e3 ? std::log(x / a * (a + b)) : std::log1p(u);
  double const from_mean = a < 10 ? log_of_part(x, y) - (digamma_of(a) - digamma_of(a + b))
                                  : ratio - (digamma_less(a) - digamma_less(a + b));
  double const term = beta_term(a, b, x, y, less);
  bool const is_steep_at_0 = a < 1 && b * x < 1 && x < 0.5, is_steep_at_1 = b < 1 && a * y < 1 && x > 0.5;
  if (is_steep_at_0 || (from_mean < 0 && !is_steep_at_1))
    return term * beta_integral(a, b, x, y, less, [=](double s, double) { return from_mean - s; });
  return -term * beta_integral(b, a, y, x, -less, [=](double, double log_rest) { return from_mean + log_rest; });
}

}  // namespace RICCI_ABI
}  // namespace ricci::special
RICCI_OPTIMIZED_END
