// The regularised incomplete beta function, the probability below x of the beta distribution, and what is above it.
#pragma once

#include <ricci/special/beta_integral.hpp>
#include <ricci/special/slope.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// By the even part of a continued fraction (A. DiDonato, A. Morris, Algorithm 708, 1992, section 3; of DLMF 8.17.22),
// by Lentz's method as modified by Thompson and Barnett (1986). For x below (a + 1) / (a + b + 2).
RICCI_HD constexpr double beta_by_fraction(double a, double b, double x, double y, double less) {
  constexpr double tiny = 1e-300;
  double f = a * (less + 1) / (a + 1), c = f, d = 0;
  if (f == 0) f = c = tiny;
  for (int m = 1; m < 100000; ++m) {
    double const k = a + 2. * m, ratio = x * (a + (m - 1)) / (k - 1), other = x * (a + b + (m - 1)) / (k - 1);
    double const top = ratio * other * m * (b - m);
    double const bottom = m + m * ((b - m) * x / (k - 1)) + (a + m) / (k + 1) * (less + 1 + m * (1 + y));
    d = bottom + top * d;
    c = bottom + top / c;
    if (d == 0) d = tiny;
    if (c == 0) c = tiny;
    d = 1 / d;
    double const step = c * d;
    f *= step;
    if (std::abs(step - 1) < 2e-16) break;
  }
  return beta_term(a, b, x, y, less) / f;
}
// b times the sum of (1 - a)_n / (n! (b + n)) y^n for n > 0 (DLMF 8.17.7).
RICCI_HD constexpr double beta_series(double a, double b, double y) {
  double term = 1, sum = 0;
  for (int n = 1; n < 200; ++n) {
    term *= (n - a) / n * y;
    double const more = term / (b + n);
    sum += more;
    if (std::abs(more) < 1e-17 * std::abs(sum)) break;
  }
  return b * sum;
}
// The part above x for b < 1 and a y below 1 or so is near 1, and its rest is lost in 1 - y^b / (b B(a, b)) (1 + ...):
// y^b / (b B(a, b)) as 1 + expm1(u).
RICCI_HD constexpr double beta_below_near_one(double a, double b, double y) {
  double const u = b * std::log(y) + log_gamma_ratio(a, b) - log_gamma_behind_one(b);
  return -std::expm1(u) - std::exp(u) * beta_series(a, b, y);
}
// The part below x, or what is above it.
RICCI_HD constexpr double incomplete_beta(double a, double b, double x, double y, bool upper) {
  if (!(a >= 0 && b >= 0 && x >= 0 && y >= 0)) return not_a_number;
  bool const all_at_0 = a == 0 || b == infinity, all_at_1 = b == 0 || a == infinity;
  if (all_at_0 && all_at_1) return not_a_number;
  if (x == 0 || y == 0 || all_at_0 || all_at_1) return (x == 0 || (all_at_1 && y > 0)) == upper ? 1 : 0;
  if (a > 1e290 && b > 1e290) a *= 1e-200, b *= 1e-200;  // a step at a / (a + b), as before
  double less = below_center(a, b, x, y);
  // the one that is summed is the smaller one: the fraction converges fast for x below (a + 1) / (a + b + 2)
  bool is_above = less + (y - x) < 0;
  if (b < 1 && b < a && x < 0.7) is_above = false;
  if (a < 1 && a < b && y < 0.7) is_above = true;
  if (is_above) {
    double const other[] = {b, a, y, x};
    a = other[0], b = other[1], x = other[2], y = other[3], less = -less, upper = !upper;
  }
  if (upper && a < 1 && b * x < 1.2 && y > 0.6) return beta_below_near_one(b, a, x);
  double const p =
      a > 10 && b > 10 && a + b > 3e3 ? beta_by_integral(a, b, x, y, less) : beta_by_fraction(a, b, x, y, less);
  return upper ? 1 - p : p;
}

// x^(a - 1) (1 - x)^(b - 1) / B(a, b), the density of the beta distribution; of a or b = 0, where all is at an end,
// what it is elsewhere. At an end where its power is 0 also of a negative other parameter.
RICCI_HD constexpr double density_of_beta(double a, double b, double x) {
  double const y = 1 - x;
  if (!(x >= 0 && y >= 0)) return not_a_number;
  if (x == 0 && a >= 0) return a == 1 ? b : a > 1 || a == 0 ? 0 : infinity;
  if (y == 0 && b >= 0) return b == 1 ? a : b > 1 || b == 0 ? 0 : infinity;
  if (!(a >= 0 && b >= 0)) return not_a_number;
  if (a == 0 || b == 0) return 0;
  double const term = beta_term(a, b, x, y, below_center(a, b, x, y));
  return term > 1e-290 ? term / x / y : std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - log_beta_of(a, b));
}

}  // namespace RICCI_ABI

// The same. At the ends its derivative by x is a difference of densities, of a - 1 and of b - 1, so that those of every
// order are right there.
struct beta_density_t : special_function<beta_density_t, 3> {
  static constexpr auto name = "special::beta_density";
  static constexpr interval domain{0, 1};
  static constexpr double ulp = 1024;
  RICCI_HD static constexpr double of(double a, double b, double x) { return density_of_beta(a, b, x); }
  static constexpr auto by_first(auto y, auto a, auto b, auto x) {
    return y * (log(where((y == 0.) & (x == 0.), 1., x)) - digamma_t{}(a) + digamma_t{}(a + b));
  }
  static constexpr auto by_second(auto y, auto a, auto b, auto x) {
    return y * (log1p(-where((y == 0.) & (x == 1.), 0., x)) - digamma_t{}(b) + digamma_t{}(a + b));
  }
  static constexpr auto partials(auto y, auto a, auto b, auto x) {
    auto const at_0 = x == 0., at_1 = x == 1., falls = at_0 & (a < 1.) & (a > 0.), rises = at_1 & (b < 1.) & (b > 0.);
    auto const is_end = (at_0 & (a >= 1.)) | (at_1 & (b >= 1.));
    auto const p = where(is_end, a, 1.), q = where(is_end, b, 1.), end = where(is_end, x, 0.5);
    auto const of_end = (p + q - 1.) * (beta_density_t{}(p - 1., q, end) - beta_density_t{}(p, q - 1., end));
    auto const inner = where(at_0 | at_1, 0.5, x);
    auto const by_x =
        where(falls, -infinity,
              where(rises, infinity,
                    where(is_end, of_end, where(is_end, 1., y) * ((a - 1.) / inner - (b - 1.) / (1. - inner)))));
    return each{by_first(y, a, b, x), by_second(y, a, b, x), by_x};
  }
};
// The derivatives of the part below x by a and by b, 0 < x < 1.
template <bool ByFirst>
struct betainc_slope_t : slope_call<betainc_slope_t<ByFirst>> {
  static constexpr auto name = "slope_of_betainc";
  static constexpr core_signature core{"(),(),()->()"};
  RICCI_HD static constexpr double of(double a, double b, double x) {
    return ByFirst ? slope_of_beta(a, b, x, 1 - x) : -slope_of_beta(b, a, 1 - x, x);
  }
  template <class V>
  static constexpr V by_last(ir::application<V> const& at) {
    V const a = at.operand(0), b = at.operand(1), x = at.operand(2), y = beta_density_t{}(a, b, x);
    return ByFirst ? V(beta_density_t::by_first(y, a, b, x)) : V(beta_density_t::by_second(y, a, b, x));
  }
};
// What lies below x, or above it.
template <class Derived, bool Upper>
struct beta_probability : special_function<Derived, 3> {
  static constexpr interval domain{0, 1};
  static constexpr double ulp = 1024;
  RICCI_HD static constexpr double of(double a, double b, double x) { return incomplete_beta(a, b, x, 1 - x, Upper); }
  static constexpr auto partials(auto y, auto a, auto b, auto x) {
    constexpr auto of_side = [](auto slope) {
      if constexpr (Upper)
        return -slope;
      else
        return slope;
    };
    return each{of_side(betainc_slope_t<true>::over_values(y, a, b, x)),
                of_side(betainc_slope_t<false>::over_values(y, a, b, x)), of_side(beta_density_t{}(a, b, x))};
  }
};
// The probability below x of the beta distribution with parameters a and b, which are not negative. First derivatives
// by a and b, of every order by x.
struct betainc_t : beta_probability<betainc_t, false> {
  static constexpr auto name = "special::betainc";
};
// 1 minus that.
struct betaincc_t : beta_probability<betaincc_t, true> {
  static constexpr auto name = "special::betaincc";
};
inline constexpr betainc_t betainc{};
inline constexpr betaincc_t betaincc{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
