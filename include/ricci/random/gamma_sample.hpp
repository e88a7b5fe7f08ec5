// Numbers of the gamma distribution as plain functions: a sample, and how it moves with the parameter.
#pragma once

#include <cmath>
#include <limits>

#include <ricci/random/normal.hpp>

namespace ricci::random {
inline namespace RICCI_ABI {

// The words of one element of a distribution that takes no fixed number of them: blocks of the stream under its own
// word, two of 64 bits each.
class word_stream {
 public:
  RICCI_HD constexpr explicit word_stream(std::uint64_t seed) : seed_(seed) {}
  // in (0, 1)
  RICCI_HD constexpr double unit() {
    double const t = tail();
    return t < 0 ? -t : 1 - t;
  }
  RICCI_HD constexpr double normal() { return normal_of_tail_t::kernel(tail()); }

 private:
  RICCI_HD constexpr double tail() {
    if (at_ % 2 == 0) block_ = philox_block(seed_, at_ / 2);
    auto const* const w = block_.word + 2 * (at_++ % 2);
    return tail_of_word_t<double>::kernel(w[0] | std::uint64_t(w[1]) << 32);
  }

  std::uint64_t seed_, at_ = 0;
  philox4x32 block_{};
};

// The logarithm of a number of the gamma distribution with parameter a > 0 (and scale 1), so that none is lost where a
// is small; NaN for other a. (G. Marsaglia, W. Tsang, A simple method for generating gamma variables, ACM Transactions
// on Mathematical Software 26, 2000: a transformed normal number, taken in 19 of 20 cases or more; and section 6 for
// a < 1: with parameter a + 1, times u^(1/a).)
RICCI_HD constexpr double log_of_gamma(double a, std::uint64_t seed) {
  if (!(a > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (a > std::numeric_limits<double>::max()) return a;
  word_stream words(seed);
  double const added = a < 1 ? std::log(words.unit()) / a : 0;
  double const d = (a < 1 ? a + 1 : a) - 1. / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double const z = words.normal(), s = 1 + c * z, v = s * s * s, u = words.unit();
    if (s > 0 && std::log(u) < z * z / 2 + d - d * v + d * std::log(v)) return std::log(d * v) + added;
  }
}

// The derivative of log(gamma(x)): up to 10 by its recurrence, then by the asymptotic series (NIST Digital Library of
// Mathematical Functions, 5.5.2 and 5.11.2).
RICCI_HD constexpr double digamma(double x) {
  double y = 0;
  for (; x < 10; ++x) y -= 1 / x;
  double const r = 1 / (x * x);
  return y + std::log(x) - 0.5 / x -
         r * (1. / 12 - r * (1. / 120 - r * (1. / 252 - r * (1. / 240 - r * (1. / 132 - r * (691. / 32760))))));
}

// How the logarithm of a sample x of the gamma distribution moves with a where the probability below it stays what it
// is: -dP/da / (x p) with the distribution function P(a, x) and the density p (M. Figurnov, S. Mohamed, A. Mnih,
// Implicit reparameterization gradients, 2018). The argument is log(x). By the derivative of P's power series below a,
// by that of the continued fraction of 1 - P above (DLMF 8.7.1, 8.9.2), and for large a by that of the expansion of
// quantiles in normal ones (E. Cornish, R. Fisher, 1938), where what is left out is below 2e-9.
namespace gamma_slope {

RICCI_HD constexpr double by_series(double a, double x, double log_x) {
  double term = 1 / a, slope = log_x - digamma(a + 1), sum = term * slope;
  for (int n = 1; n < 100000; ++n) {
    term *= x / (a + n);
    slope -= 1 / (a + n);
    sum += term * slope;
    if (term * (1 + std::abs(slope)) < 1e-17 * std::abs(sum) && n > x - a) break;
  }
  return -sum;
}
// h = 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), 1 - P = x p h; from behind, with the
// derivative by a beside each value
RICCI_HD constexpr double by_fraction(double a, double x, double log_x) {
  int const terms = int(60 + 400 / (1 + x) + 12 * std::sqrt(a));
  double f = x + 2. * terms + 1 - a, df = -1;
  for (int n = terms; n > 0; --n) {
    double const top = n * (n - a), d_top = -n;
    df = -1 - (d_top - top / f * df) / f;
    f = x + 2. * n - 1 - a - top / f;
  }
  double const h = 1 / f, dh = -df * h * h;
  return h * (log_x - digamma(a)) + dh;
}
// x = a + sqrt(a) z + (z^2 - 1) / 3 + (z^3 - 7 z) / (36 sqrt(a)) - (3 z^4 + 7 z^2 - 16) / (810 a) + ...
RICCI_HD constexpr double by_expansion(double a, double x) {
  double const root = std::sqrt(a), w = (x - a) / root;
  double z = w;
  for (int n = 0; n < 6; ++n)
    z = w - (z * z - 1) / (3 * root) - (z * z * z - 7 * z) / (36 * a) +
        (3 * z * z * z * z + 7 * z * z - 16) / (810 * a * root);
  double const z2 = z * z;
  return (1 + z / (2 * root) - (z2 - 7) * z / (72 * a * root) + (3 * z2 * z2 + 7 * z2 - 16) / (810 * a * a)) / x;
}

}  // namespace gamma_slope

RICCI_HD constexpr double slope_of_log_gamma(double a, double log_x) {
  if (!(a > 0)) return std::numeric_limits<double>::quiet_NaN();
  double const x = std::exp(log_x);
  if (a > 10000) return gamma_slope::by_expansion(a, x);
  return x < (a > 1 ? a : 1.) ? gamma_slope::by_series(a, x, log_x) : gamma_slope::by_fraction(a, x, log_x);
}

}  // namespace RICCI_ABI
}  // namespace ricci::random
