// What is made of the error function: its complement, scaled and not, the normal distribution, and their inverses.
#pragma once

#include <ricci/special/normal_quantile.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// exp(x^2) erfc(x): the product, with what squaring rounds put back, and from 6 on the continued fraction (DLMF 7.9.1).
RICCI_HD constexpr double scaled_erfc(double x) {
  if (x < 6) {
    double const square = x * x, rest = std::fma(x, x, -square), e = std::exp(square);
    return square > 709.7 ? infinity : (e + e * rest) * std::erfc(x);
  }
  double y = x;
  for (int k = 40; k > 0; --k) y = x + 0.5 * k / y;
  return 0.56418958354775628695 / y;
}
// Its derivative, 2 x y - 2 / sqrt(pi): of large x, where both cancel, by the same fraction, x / y' - 1 of the rest.
RICCI_HD constexpr double slope_of_scaled_erfc(double x) {
  if (x < 6) return 2 * x * scaled_erfc(x) - 1.1283791670955125739;
  double y = x;
  for (int k = 40; k > 1; --k) y = x + 0.5 * k / y;
  return -1.1283791670955125739 * (0.5 / y) / (x + 0.5 / y);
}
// erfc(-x / sqrt(2)) / 2, with what the quotient rounds put back, which the tail multiplies.
RICCI_HD constexpr double normal_below(double x) {
  constexpr double c = 0.70710678118654752440, c_rest = -4.8336466567264565186e-17;
  double const u = -x * c, y = std::erfc(u);
  if (!(u > 0.5 && y > 0)) return 0.5 * y;
  double const rest = std::fma(-x, c, -u) - x * c_rest;
  return 0.5 * (y - 1.1283791670955125739 * std::exp(-u * u) * rest);
}
RICCI_HD constexpr double log_of_normal_below(double x) {
  if (x == -infinity) return x;
  if (x > -1) return std::log1p(-normal_below(-x));
  return std::log(0.5 * scaled_erfc(-0.70710678118654752440 * x)) - 0.5 * x * x;
}
RICCI_HD constexpr double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return not_a_number;
  double const q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) return quantile_near(q);
  if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
  double const y = quantile_beyond(std::sqrt(-std::log(q < 0 ? p : 1 - p)));
  return q < 0 ? -y : y;
}
RICCI_HD constexpr double inverse_of_erf(double x) {
  if (!(x >= -1 && x <= 1)) return not_a_number;
  double const size = x < 0 ? -x : x;
  if (size <= 0.85) return 0.70710678118654752440 * quantile_near(0.5 * x);
  double const y =
      size == 1 ? infinity : 0.70710678118654752440 * quantile_beyond(std::sqrt(-std::log(0.5 * (1 - size))));
  return x < 0 ? -y : y;
}
RICCI_HD constexpr double inverse_of_erfc(double x) {
  return x >= 0.15 && x <= 1.85 ? inverse_of_erf(1 - x)
         : x > 1                ? 0.70710678118654752440 * normal_quantile(0.5 * (2 - x))
                                : -0.70710678118654752440 * normal_quantile(0.5 * x);
}

}  // namespace RICCI_ABI

// 1 - erf(x), exact where that is small.
struct erfc_t : special_function<erfc_t> {
  static constexpr auto name = "special::erfc";
  static constexpr std::uint8_t cost = 60;
  static constexpr interval domain{-6, 27};
  static constexpr double ulp = 4;
  RICCI_HD static constexpr double of(double x) { return std::erfc(x); }
  static constexpr auto partials(auto, auto x) { return -1.1283791670955126 * exp(-(x * x)); }
};
// exp(x^2) erfc(x), which does not vanish for large x.
struct erfcx_t : special_function<erfcx_t> {
  static constexpr auto name = "special::erfcx";
  static constexpr interval domain{-26.6, largest_number};
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double x) { return scaled_erfc(x); }
  static constexpr auto partials(auto, auto x);
};
// Its derivative. The next one, 2 erfcx(x) + 2 x y, would cancel for large x, where its expansion is right to 1e-14.
struct erfcx_slope_t : special_function<erfcx_slope_t> {
  static constexpr auto name = "slope_of_erfcx";
  static constexpr interval domain{-26.6, largest_number};
  static constexpr double ulp = 64;
  RICCI_HD static constexpr double of(double x) { return slope_of_scaled_erfc(x); }
  static constexpr auto partials(auto y, auto x) {
    auto const is_large = x > 100.;
    auto const r = 1. / where(is_large, x, 100.), s = r * r;
    auto const expansion = 1.1283791670955126 * (r * s) * (1. - s * (3. - s * (11.25 - 52.5 * s)));
    return where(is_large, expansion, 2. * (erfcx_t{}(x) + x * y));
  }
};
constexpr auto erfcx_t::partials(auto, auto x) { return erfcx_slope_t{}(x); }
// Probability that a normal variable is below x.
struct ndtr_t : special_function<ndtr_t> {
  static constexpr auto name = "special::ndtr";
  static constexpr std::uint8_t cost = 80;
  static constexpr interval domain{-37.5, 9};
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double x) { return normal_below(x); }
  static constexpr auto partials(auto, auto x) { return 0.39894228040143268 * exp(-0.5 * (x * x)); }
};
// Its logarithm.
struct log_ndtr_t : special_function<log_ndtr_t> {
  static constexpr auto name = "special::log_ndtr";
  static constexpr interval domain{-1e150, 38};
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double x) { return log_of_normal_below(x); }
  // the density over the probability, each where it neither vanishes nor overflows
  static constexpr auto partials(auto, auto x) {
    auto const above = where(x > 0., x, 0.), below = where(x > 0., 0., x);
    return where(x > 0., 0.39894228040143268 * exp(-0.5 * (above * above)) / ndtr_t{}(above),
                 0.79788456080286536 / erfcx_t{}(-0.70710678118654752 * below));
  }
};
// The x below which a normal variable is with probability p: infinite at 0 and 1, NaN beyond.
struct ndtri_t : special_function<ndtri_t> {
  static constexpr auto name = "special::ndtri";
  static constexpr std::uint8_t cost = 80;
  static constexpr interval domain{0, 1};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double p) { return normal_quantile(p); }
  static constexpr auto partials(auto y, auto) { return 2.5066282746310005 * exp(0.5 * (y * y)); }
};
// The inverse of erf: infinite at 1 and -1, NaN beyond.
struct erfinv_t : special_function<erfinv_t> {
  static constexpr auto name = "special::erfinv";
  static constexpr std::uint8_t cost = 80;
  static constexpr interval domain{-1, 1};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return inverse_of_erf(x); }
  static constexpr auto partials(auto y, auto) { return 0.88622692545275801 * exp(y * y); }
};
// The inverse of erfc, of 0 to 2.
struct erfcinv_t : special_function<erfcinv_t> {
  static constexpr auto name = "special::erfcinv";
  static constexpr std::uint8_t cost = 80;
  static constexpr interval domain{0, 2};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return inverse_of_erfc(x); }
  static constexpr auto partials(auto y, auto) { return -0.88622692545275801 * exp(y * y); }
};
inline constexpr erfc_t erfc{};
inline constexpr erfcx_t erfcx{};
inline constexpr ndtr_t ndtr{};
inline constexpr log_ndtr_t log_ndtr{};
inline constexpr ndtri_t ndtri{};
inline constexpr erfinv_t erfinv{};
inline constexpr erfcinv_t erfcinv{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
