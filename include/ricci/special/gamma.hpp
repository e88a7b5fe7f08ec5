// The gamma function, its logarithm and derivatives, and the beta function.
#pragma once

#include <ricci/special/zeta.hpp>

#include <math.h>  // POSIX has lgamma_r there

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

inline constexpr double pi = 3.14159265358979323846;

// The derivative of log(Gamma(x)): around its positive zero by Taylor's series there, elsewhere up to 10 by the
// recurrence and then by the asymptotic series (DLMF 5.5.2, 5.11.2), for negative x by reflection (5.5.4).
RICCI_HD constexpr double digamma_of(double x) {
  constexpr double near_zero[] = {
      0.96767224544762117043,    -0.44276316898359210609,    0.25849976095565101062,    -0.1639427054424065275,
      0.10782405069126236576,    -0.072199561256454710926,   0.048804288164143107225,   -0.033161126474847359292,
      0.02259764823221810466,    -0.015424765904948959139,   0.010538791616612175388,   -0.007204534386356868241,
      0.0049267813957298534464,  -0.0033698016554393280828,  0.0023051263267349278369,  -0.0015769367714301972593,
      0.0010788252019162965807,  -0.00073807093899600512957, 0.00050495326583460203518, -0.00034546802510630769956,
      0.00023635601564027052792, -0.00016170622091974803449, 0.00011063372768747410904, -0.000075691795821950659192};
  constexpr double zero = 0x1.762d86356be3fp+0, zero_rest = 9.5499954299656977152e-17;
  if (x == 0) return std::signbit(x) ? infinity : -infinity;
  if (x == infinity) return x;
  double y = 0;
  if (x < 0) {
    double const r = x - std::round(x);  // exact, of tiny numbers, too
    if (!(r < 0 || r > 0)) return not_a_number;
    y = std::abs(r) == 0.5 ? 0 : -pi / std::tan(pi * r);
    x = 1 - x;
  }
  if (x > 1.2 && x < 1.75) {
    double const t = (x - zero) - zero_rest;
    return y + t * polynomial(t, near_zero);
  }
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;
  double const r = 1 / (x * x);
  return y + (sum + (std::log(x) - 0.5 / x -
                     r * (1. / 12 - r * (1. / 120 -
                                         r * (1. / 252 -
                                              r * (1. / 240 - r * (1. / 132 - r * (691. / 32760 - r * (1. / 12)))))))));
}
// Of x >= 10: what Stirling's formula (x - 1/2) log(x) - x + log(2 pi) / 2 leaves of log(Gamma(x)) (DLMF 5.11.1).
RICCI_HD constexpr double stirling_rest(double x) {
  double const r = 1 / (x * x);
  return (1. / 12 -
          r * (1. / 360 - r * (1. / 1260 - r * (1. / 1680 - r * (1. / 1188 - r * (691. / 360360 - r / 156)))))) /
         x;
}
// In constant expressions, where the C library's, which also sets a sign, is none: by Stirling's formula of x + n,
// right to some units of the last place of 1.
RICCI_HD constexpr double constant_log_gamma(double x) {
  if (std::isnan(x)) return x;
  if (x <= 0) {
    double const r = x - std::floor(x);
    return r == 0 ? infinity
                  : std::log(3.14159265358979323846 / (std::sin(3.14159265358979323846 * r) * -x)) -
                        constant_log_gamma(-x);
  }
  double product = 1;
  for (; x < 10; ++x) product *= x;
  return (x - 0.5) * std::log(x) - x + 0.91893853320467274178 + stirling_rest(x) - std::log(product);
}
// The C library's lgamma sets a variable of the program, so that threads would race for it: with POSIX the one that
// does not.
#if defined(__CUDA_ARCH__) || !(defined(__unix__) || defined(__APPLE__))
RICCI_HD inline double log_gamma_by_library(double x) { return std::lgamma(x); }
#elif defined(__GNUC__) && !defined(__clang__)
RICCI_HD inline double log_gamma_by_library(double x) {
  int sign = 0;
  return __builtin_lgamma_r(x, &sign);
}
#else
inline double log_gamma_by_library(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
#endif
RICCI_HD constexpr double log_gamma_of(double x) {
  if (x == -infinity || x == infinity) return x;
  return __builtin_is_constant_evaluated() ? constant_log_gamma(x) : log_gamma_by_library(x);
}
// log(1 + u) - u without what cancels: where u is small, by the series of artanh(u / (2 + u)).
RICCI_HD constexpr double log1p_less(double u) {
  if (u < -0.3 || u > 0.4) return std::log1p(u) - u;
  double const r = u / (2 + u), s = r * r;  // log1p(u) = 2 (r + r^3 / 3 + ...), u = 2 r + u r
  double sum = 0;
  for (int k = 27; k >= 3; k -= 2) sum = sum * s + 2. / k;
  return r * (s * sum - u);
}
// log(Gamma(1 + a)), where a is small by its power series (DLMF 5.7.3): 1 + a has less digits
RICCI_HD constexpr double log_gamma_behind_one(double a) {
  if (a > 0.01) return log_gamma_of(1 + a);
  constexpr double c[] = {-0.57721566490153286061, 0.82246703342411321824,  -0.40068563438653142847,
                          0.27058080842778454788,  -0.20738555102867398527, 0.16955717699740818995,
                          -0.14404989676884611812, 0.12550966952474304242};
  double sum = 0;
  for (int k = 7; k >= 0; --k) sum = c[k] + a * sum;
  return a * sum;
}
// That of negative integers is the sign of nothing.
RICCI_HD constexpr double sign_of_gamma(double x) {
  if (std::isnan(x)) return x;
  if (x == 0) return std::signbit(x) ? -1 : 1;
  if (x > 0) return 1;
  double const below = std::floor(x);
  return below == x ? not_a_number : std::fmod(below, 2) == 0 ? 1 : -1;
}
// |sin(pi x)|
RICCI_HD constexpr double sine_of_fraction(double x) { return std::sin(pi * std::abs(x - std::floor(x + 0.5))); }
// log |Gamma(a) Gamma(b) / Gamma(a + b)| of positive finite operands. With the larger one above 10 by Stirling's
// formula, of which what would cancel is left out (A. DiDonato, A. Morris, Algorithm 708, ACM Transactions on
// Mathematical Software 18, 1992).
RICCI_HD constexpr double log_beta_of_positive(double one, double other) {
  double const a = other < one ? other : one, b = other < one ? one : other;
  constexpr double half_log_two_pi = 0.91893853320467274178;
  if (b < 10) return std::log(std::tgamma(a) / std::tgamma(a + b) * std::tgamma(b));
  double const rest = stirling_rest(b) - stirling_rest(a + b);
  if (a < 10) return log_gamma_of(a) + rest + a - a * std::log(a + b) + (b - 0.5) * std::log1p(-a / (a + b));
  return half_log_two_pi - 0.5 * std::log(b) + stirling_rest(a) + rest + (a - 0.5) * std::log(a / (a + b)) +
         b * std::log1p(-a / (a + b));
}
RICCI_HD constexpr double log_beta_of(double one, double other) {
  double const a = other < one ? other : one, b = other < one ? one : other;
  if (a > 0 && b < infinity) return log_beta_of_positive(a, b);
  if (std::isnan(a) || std::isnan(b)) return not_a_number;
  if (a > 0) return -infinity;
  if (a == std::floor(a) && b == std::floor(b) && b <= 0) return infinity;  // two poles over one
  // poles of both parts that cancel: a negative integer a and b <= -a
  if (a == std::floor(a) && b == std::floor(b) && b > 0 && a + b <= 0) return log_beta_of_positive(1 - a - b, b);
  if (b <= 20 || b == infinity || a == std::floor(a)) return log_gamma_of(a) + log_gamma_of(b) - log_gamma_of(a + b);
  // the three would cancel: Gamma(a) by Gamma(1 - a), and where a + b < 1 Gamma(a + b), too (DLMF 5.5.3)
  double const d = a + b - 1, sine = sine_of_fraction(a);
  if (d == 0) return std::log(pi / sine);
  return d < 0 ? log_beta_of_positive(-d, b) + std::log(sine_of_fraction(a + b) / sine)
               : std::log(pi / (sine * d)) - log_beta_of_positive(1 - a, d);
}
RICCI_HD constexpr double beta_of(double a, double b) {
  if (a > 1e-300 && b > 1e-300 && a < 80 && b < 80) {
    double const larger = a < b ? b : a, smaller = a < b ? a : b;
    double const both = a + b, rest = smaller - (both - larger);  // what the sum rounds
    return std::tgamma(smaller) * (std::tgamma(larger) / std::tgamma(both)) * (1 - rest * digamma_of(both));
  }
  double sign = 1;
  if (a <= 0 || b <= 0) {
    double const n = a < b ? a : b, m = a < b ? b : a;
    bool const cancels = n == std::floor(n) && m == std::floor(m) && m > 0 && n + m <= 0;
    sign = cancels ? (std::fmod(m, 2) == 0 ? 1. : -1.) : sign_of_gamma(a) * sign_of_gamma(b) * sign_of_gamma(a + b);
    if (std::isnan(sign)) {
      bool const pole = (a == std::floor(a) && a <= 0) || (b == std::floor(b) && b <= 0);
      if (std::isnan(a) || std::isnan(b)) return not_a_number;
      if (!pole) return 0;  // a + b alone is one
      sign = 1;
    }
  }
  return sign * std::exp(log_beta_of(a, b));
}

}  // namespace RICCI_ABI

// The derivative of `gammaln`. -inf at 0 (inf at -0), NaN at negative integers. Below 0 the promise holds away from the
// zeros between those.
struct digamma_t : special_function<digamma_t> {
  static constexpr auto name = "special::digamma";
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double x) { return digamma_of(x); }
  static constexpr auto partials(auto, auto x) { return hurwitz_zeta_t{}(2., x); }
};
// The logarithm of |Gamma(x)|; infinite at 0 and negative integers.
struct gammaln_t : special_function<gammaln_t> {
  static constexpr auto name = "special::gammaln";
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 4;
  RICCI_HD static constexpr double of(double x) { return log_gamma_of(x); }
  static constexpr auto partials(auto, auto x) { return digamma_t{}(x); }
};
// Its sign, 1 or -1: NaN at negative integers.
struct gammasgn_t : special_function<gammasgn_t> {
  static constexpr auto name = "special::gammasgn";
  static constexpr std::uint8_t cost = 20;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  RICCI_HD static constexpr double of(double x) { return sign_of_gamma(x); }
  static constexpr auto partials(auto, auto) { return none; }
};
// Gamma(x), (x - 1)! of integers; NaN at negative ones, infinite at 0 and from 171.7 on.
struct gamma_t : special_function<gamma_t> {
  static constexpr auto name = "special::gamma";
  static constexpr interval domain{0, 171.62437695630272};
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return std::tgamma(x); }
  static constexpr auto partials(auto y, auto x) { return y * digamma_t{}(x); }
};
// log |B(a, b)|.
struct betaln_t : special_function<betaln_t, 2> {
  static constexpr auto name = "special::betaln";
  static constexpr bool commutative = true;
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 64;
  RICCI_HD static constexpr double of(double a, double b) { return log_beta_of(a, b); }
  static constexpr auto partials(auto, auto a, auto b) {
    auto const both = digamma_t{}(a + b);
    return each{digamma_t{}(a)-both, digamma_t{}(b)-both};
  }
};
// B(a, b) = Gamma(a) Gamma(b) / Gamma(a + b). The error grows with the logarithm of the result.
struct beta_t : special_function<beta_t, 2> {
  static constexpr auto name = "special::beta";
  static constexpr bool commutative = true;
  static constexpr interval domain{0, 80};
  static constexpr double ulp = 32;
  RICCI_HD static constexpr double of(double a, double b) { return beta_of(a, b); }
  static constexpr auto partials(auto y, auto a, auto b) {
    auto const both = digamma_t{}(a + b);
    return each{y * (digamma_t{}(a)-both), y * (digamma_t{}(b)-both)};
  }
};
inline constexpr digamma_t digamma{};
inline constexpr digamma_t psi{};
inline constexpr gammaln_t gammaln{};
inline constexpr gammasgn_t gammasgn{};
inline constexpr gamma_t gamma{};
inline constexpr betaln_t betaln{};
inline constexpr beta_t beta{};

// The derivative of order N of digamma: (-1)^(N + 1) N! zeta(N + 1, x). The order is known when the program is
// compiled.
template <int N>
struct polygamma_t : composite_function<polygamma_t<N>> {
  static_assert(N >= 0 && N < 100, "the order of polygamma is a number from 0 to 99");
  static constexpr auto name = "special::polygamma";
  template <class V>
  static constexpr V formula(V x) {
    if constexpr (N == 0) {
      return digamma_t{}(x);
    } else {
      double factor = N % 2 ? 1 : -1;
      for (int k = 2; k <= N; ++k) factor *= k;
      return factor * hurwitz_zeta_t{}(N + 1., x);
    }
  }
};
template <int N>
inline constexpr polygamma_t<N> polygamma{};
inline constexpr polygamma_t<1> trigamma{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
