// Complete elliptic integrals of the parameter m = k^2 < 1, negative ones among them, by arithmetic-geometric means
// (DLMF 19.8).
#pragma once

#include <ricci/special/function.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// The mean of 1 and k' = sqrt(1 - m), and the sum of 2^(n-1) c[n]^2 that makes E = K (1 - sum).
struct elliptic_means {
  double mean, sum;
};
RICCI_HD constexpr elliptic_means means_of(double m, double complement) {
  double a = 1, b = std::sqrt(complement), weight = 1, sum = 0.5 * m, square = m;
  for (int n = 0; n < 40 && a - b > 1e-9 * a; ++n) {
    double const next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    square = square * square / (16 * next * next);  // c[n + 1] = c[n]^2 / (4 a[n + 1])
    a = next;
    sum += weight * square;
    weight *= 2;
  }
  return {0.5 * (a + b), sum};
}
inline constexpr double half_pi = 1.57079632679489661923;
// K, E and D = (K - E) / m for 0 <= m < 1, m and 1 - m both exact. What of E cancels near m = 1 comes from Legendre's
// relation (DLMF 19.7.1): E = agm(1, k) + K S with the sum S of the complementary parameter.
struct elliptic_integrals {
  double k, e, d;
};
RICCI_HD constexpr elliptic_integrals elliptic_of(double m, double complement) {
  auto const means = means_of(m, complement);
  double const k = half_pi / means.mean;
  double const d = m < 1e-300 ? 0.5 * k : k * (means.sum / m);
  if (m < 0.5) return {k, k * (1 - means.sum), d};
  auto const other = means_of(complement, m);
  double const e = other.mean + k * other.sum;
  return {k, e, m < 0.75 ? d : (k - e) / m};
}
// Negative parameters by those of m / (m - 1) (DLMF 19.7.2).
RICCI_HD constexpr elliptic_integrals complete_elliptic(double m) {
  if (!(m <= 1)) return {not_a_number, not_a_number, not_a_number};
  if (m == 1) return {infinity, 1, infinity};
  if (m == -infinity) return {0, infinity, 0};
  if (m >= 0) return elliptic_of(m, 1 - m);
  double const root = std::sqrt(1 - m);
  auto const y = elliptic_of(m / (m - 1), 1 / (1 - m));
  return {y.k / root, y.e * root, (y.k - y.d) / root};
}

}  // namespace RICCI_ABI

// D(m) = (K(m) - E(m)) / m, by which the derivatives of both are free of what would cancel near 0.
struct ellipd_t : special_function<ellipd_t> {
  static constexpr auto name = "special::ellipd";
  static constexpr interval domain{-1e8, 1};
  static constexpr double ulp = 64;
  RICCI_HD static constexpr double of(double m) { return complete_elliptic(m).d; }
  static constexpr auto partials(auto y, auto m);
};
// K(m); infinite at 1, NaN above.
struct ellipk_t : special_function<ellipk_t> {
  static constexpr auto name = "special::ellipk";
  static constexpr interval domain{-1e300, 1};
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double m) { return complete_elliptic(m).k; }
  static constexpr auto partials(auto y, auto m) { return 0.5 * ((y - ellipd_t{}(m)) / (1. - m)); }
};
// E(m); 1 at 1, NaN above.
struct ellipe_t : special_function<ellipe_t> {
  static constexpr auto name = "special::ellipe";
  static constexpr interval domain{-1e300, 1};
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double m) { return complete_elliptic(m).e; }
  static constexpr auto partials(auto, auto m) { return -0.5 * ellipd_t{}(m); }
};
// near 0 by the power series of D', pi / 4 sum n c[n] m^(n - 1) with c[n + 1] / c[n] = (n + 1/2) (n + 3/2) / ((n + 1)
// (n + 2))
constexpr auto ellipd_t::partials(auto y, auto m) {
  auto const near = abs(m) < 0.01;
  auto const s = where(near, m, 0.), r = where(near, 0.5, m);
  auto const series =
      0.29452431127404312 +
      s * (0.36815538909255390 +
           s * (0.40266995682 +
                s * (0.42280345466 + s * (0.43601606262 + s * (0.445359264 + s * (0.452318 + s * 0.4577))))));
  return where(near, series, 0.5 * ((ellipk_t{}(r) - (2. - r) * where(near, 0., y)) / (r * (1. - r))));
}
inline constexpr ellipk_t ellipk{};
inline constexpr ellipe_t ellipe{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
