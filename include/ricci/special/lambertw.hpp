// The real branches of Lambert's W.
#pragma once

#include <ricci/special/function.hpp>

RICCI_OPTIMIZED
namespace ricci::special {
inline namespace RICCI_ABI {

// w with w exp(w) = x. Near the branch point by the series in p = sqrt(2 (e x + 1)) (DLMF 4.13.6), elsewhere by the
// iteration w / (1 + w) (1 + log(x / w)), which doubles the digits with each step (R. Iacono, J. Boyd, New
// approximations to the principal real-valued branch of the Lambert W-function, 2017).
RICCI_HD constexpr double lambert_w(int branch, double x) {
  constexpr double at_branch_point[] = {-1,
                                        1.0,
                                        -0.33333333333333333333,
                                        0.15277777777777777778,
                                        -0.07962962962962962963,
                                        0.044502314814814814815,
                                        -0.025984714873603762493,
                                        0.015635632532333921223,
                                        -0.0096168920242994317068,
                                        0.006014543252956117861,
                                        -0.0038112980348919992267,
                                        0.0024408779911439826659,
                                        -0.0015769303446867842539,
                                        0.0010262633205076071544,
                                        -0.000672061631156136204,
                                        0.00044247306181462090993,
                                        -0.00029267722472962744485,
                                        0.00019438727605453931782,
                                        -0.00012957426685274881888,
                                        0.00008665035805208127166,
                                        -0.000058113607504413816772,
                                        0.000039076684867439051635,
                                        -0.000026338064747231098739};
  constexpr double e = 2.71828182845904523536, e_rest = 1.4456468917292501366e-16;
  if (std::isnan(x)) return x;
  if (x == infinity) return branch == 0 ? x : not_a_number;
  if (x == 0) return branch == 0 ? x : -infinity;
  if (branch != 0 && x > 0) return not_a_number;
  double const above = std::fma(e, x, 1) + e_rest * x;
  if (above < -2e-16) return not_a_number;
  double const root = std::sqrt(2 * (above > 0 ? above : 0)), p = branch == 0 ? root : -root;
  if (root < 0.25) return polynomial(p, at_branch_point);
  double w = 0;
  if (branch == 0) {
    if (x > -1e-9 && x < 1e-9) return x * (1 - x);
    w = x < 1 ? (x < -0.1 ? polynomial(p, at_branch_point) : x * std::exp(-x / (1 + x))) : std::log1p(x) * 0.7;
  } else {
    double const l = std::log(-x);
    w = root < 1 ? polynomial(p, at_branch_point) : l - std::log(-l);
  }
  for (int k = 0; k < 8; ++k) {
    double const next = w / (1 + w) * (1 + std::log(x / w)), change = next - w;
    w = next;
    if (std::abs(change) < 1e-9 * std::abs(w)) {  // once more: then the digits are all there
      w = w / (1 + w) * (1 + std::log(x / w));
      break;
    }
  }
  return w;
}

}  // namespace RICCI_ABI

// Branch 0 for x >= -1/e, -1 for -1/e <= x < 0; NaN elsewhere. The derivative at the branch point is infinite.
template <int Branch>
struct lambertw_t : special_function<lambertw_t<Branch>> {
  static_assert(Branch == 0 || Branch == -1, "lambertw has the real branches 0 and -1");
  static constexpr auto name = Branch == 0 ? "special::lambertw" : "special::lambertw<-1>";
  static constexpr interval domain{-0.36787944117144232, Branch == 0 ? largest_number : 0};
  static constexpr double ulp = 8;
  RICCI_HD static constexpr double of(double x) { return lambert_w(Branch, x); }
  static constexpr auto partials(auto y, auto) { return exp(-y) / (1. + y); }
};
template <int Branch = 0, class X>
requires operands<X> RICCI_INLINE constexpr auto lambertw(X&& x) { return lambertw_t<Branch>{}(static_cast<X&&>(x)); }

}  // namespace ricci::special
RICCI_OPTIMIZED_END
