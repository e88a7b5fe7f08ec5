// The zeta functions of Hurwitz and Riemann.
#pragma once

#include <ricci/special/slope.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// The sum of (q + k)^-s over k >= 0 (T double, or `slope_number` for its derivative by s), continued beyond s > 1, for
// q > 0: some terms, and what is left by the formula of Euler and Maclaurin with Bernoulli numbers up to the 24th
// (DLMF 25.11.28). From q + n > 10 + s on its terms are below 1e-17 of the sum; large powers make the sum itself end
// sooner.
// `above_one`: s - 1, which may have digits that s has not.
template <class T>
RICCI_HD constexpr T hurwitz_sum(T s, double q, T above_one) {
  constexpr double bernoulli[] = {1. / 12,
                                  -1. / 720,
                                  3.3068783068783068783e-5,
                                  -8.2671957671957671958e-7,
                                  2.0876756987868098979e-8,
                                  -5.2841901386874931848e-10,
                                  1.3382536530684678833e-11,
                                  -3.3896802963225828668e-13,
                                  8.5860620562778445641e-15,
                                  -2.174868698558061873e-16,
                                  5.5090028283602295152e-18,
                                  -1.3954464685812523341e-19};
  double const exponent = value_of(s);
  T sum(0.);
  for (; q < 10 + exponent; ++q) {
    T const term = power(q, T(0.) - s);
    sum = sum + term;
    if (exponent > 1 && value_of(term) * (1 + q) * (1 + std::abs(std::log(q))) <= 1e-17 * value_of(sum)) return sum;
  }
  T const last = power(q, T(0.) - s);
  T rest = power(q, T(1.) - s) / above_one + last * T(0.5), factor = s * last / T(q);
  for (int k = 0; k < 12; ++k) {
    rest = rest + T(bernoulli[k]) * factor;
    factor = factor * (s + T(2. * k + 1)) * (s + T(2. * k + 2)) * T(1 / (q * q));
  }
  return sum + rest;
}
template <class T>
RICCI_HD constexpr T hurwitz_sum(T s, double q) {
  return hurwitz_sum(s, q, s - T(1.));
}
RICCI_HD constexpr double hurwitz_zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1) return not_a_number;
  if (s == 1) return infinity;
  if (s == infinity && q > 0) return q < 1 ? infinity : q == 1 ? 1. : 0.;
  if (q == infinity) return 0;
  if (q > 0) return hurwitz_sum(s, q);
  if (q == std::floor(q)) return infinity;  // a pole
  if (s != std::floor(s)) return not_a_number;
  // the terms before 0 are powers of 1 - r, 2 - r, ..., -q with the sign (-1)^s; what 1 - r is, is exact of tiny q, too
  double const r = q - std::floor(q), before = hurwitz_sum(s, std::ceil(q) - q) - hurwitz_sum(s, 1 - q);
  return hurwitz_sum(s, r) + (std::fmod(s, 2) == 0 ? before : -before);
}
// by reflection below 0 (DLMF 25.4.1)
RICCI_HD constexpr double riemann_zeta(double s) {
  if (std::isnan(s) || s == -infinity) return not_a_number;
  if (s == 1) return infinity;
  if (s > 60) return 1;
  if (s >= 0) return hurwitz_sum(s, 1.);
  if (std::fmod(s, 2) == 0) return 0;
  if (s > -1e-17) return -0.5 - 0.91893853320467274178 * s;
  constexpr double pi = 3.14159265358979323846;
  double const turn = std::fmod(s, 4), t = 1 - s;
  double const zeta = t > 60 ? 1 : hurwitz_sum(t, 1., -s);
  // of Gamma(1 - s) (2 pi)^s, by Stirling's formula, which serves where t is large
  double const gamma = (t - 0.5) * std::log(t) - t + 0.91893853320467274178 + (1 / 12. - 1 / (360 * t * t)) / t +
                       s * 1.8378770664093454836;
  double const size = t < 150 ? std::tgamma(t) * std::pow(2 * pi, s) : std::exp(gamma);
  return size / pi * std::sin(turn * (pi / 2)) * zeta;
}

}  // namespace RICCI_ABI

// The derivative of Hurwitz's by s, for s > 1 and q > 0.
struct zeta_slope_t : slope_call<zeta_slope_t> {
  static constexpr auto name = "slope_of_zeta";
  static constexpr core_signature core{"(),()->()"};
  RICCI_HD static constexpr double of(double s, double q) {
    return s > 1 && q > 0 ? hurwitz_sum(slope_number{s, 1}, q).slope : not_a_number;
  }
  template <class V>
  static constexpr V by_last(ir::application<V> const& at);
};
// The sum of (q + k)^-s over k >= 0: SciPy's zeta(s, q), defined for s > 1; of q < 0 for integers s. Infinite where s
// is 1 and where q is 0 or a negative integer. Derivatives of every order by q, -s zeta(s + 1, q), and first ones by s.
struct hurwitz_zeta_t : special_function<hurwitz_zeta_t, 2> {
  static constexpr auto name = "special::zeta";
  static constexpr interval domain{1, largest_number};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double s, double q) { return hurwitz_zeta(s, q); }
  static constexpr auto partials(auto y, auto s, auto q) {
    return each{zeta_slope_t::over_values(y, s, q), -(s * hurwitz_zeta_t{}(s + 1., q))};
  }
};
template <class V>
constexpr V zeta_slope_t::by_last(ir::application<V> const& at) {
  V const s = at.operand(0), q = at.operand(1), next = s + 1.;
  return -(hurwitz_zeta_t{}(next, q) + s * over_values(at.y, next, q));
}
// Riemann's zeta function of all real numbers, 1 / 1^s + 1 / 2^s + ... where s > 1; infinite at 1. First derivatives
// for s > 1.
struct riemann_zeta_t : special_function<riemann_zeta_t> {
  static constexpr auto name = "special::zeta";
  static constexpr interval domain{1, largest_number};
  static constexpr double ulp = 64;
  RICCI_HD static constexpr double of(double s) { return riemann_zeta(s); }
  static constexpr auto partials(auto y, auto s) { return zeta_slope_t::over_values(y, s, 0. * s + 1.); }
};
struct zeta_t {
  template <class S>
  requires operands<S> RICCI_INLINE constexpr auto operator()(S&& s) const {
    return riemann_zeta_t{}(static_cast<S&&>(s));
  }
  template <class S, class Q>
  requires operands<S, Q> RICCI_INLINE constexpr auto operator()(S&& s, Q&& q) const {
    return hurwitz_zeta_t{}(static_cast<S&&>(s), static_cast<Q&&>(q));
  }
};
inline constexpr zeta_t zeta{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
