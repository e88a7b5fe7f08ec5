// How a number of the gamma distribution moves with the distribution's parameter.
#pragma once

#include <ricci/special/gamma.hpp>

namespace ricci::special {
inline namespace RICCI_ABI {

// How the logarithm of a sample x of the gamma distribution moves with a where the probability below it stays what it
// is: -dP/da / (x p) with the distribution function P(a, x) and the density p (M. Figurnov, S. Mohamed, A. Mnih,
// Implicit reparameterization gradients, 2018). The argument is log(x). By the derivative of P's power series below a,
// by that of the continued fraction of 1 - P above (DLMF 8.7.1, 8.9.2), and for large a by that of the expansion of
// quantiles in normal ones (E. Cornish, R. Fisher, 1938), where what is left out is below 2e-9.
namespace gamma_slope {

RICCI_HD constexpr double by_series(double a, double x, double log_x) {
  double term = 1 / a, slope = log_x - digamma_of(a + 1), sum = term * slope;
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
  return h * (log_x - digamma_of(a)) + dh;
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
}  // namespace ricci::special
