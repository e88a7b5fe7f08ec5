// Derivatives along a line by differences, as accurate as the numbers allow: central differences with steps that are
// halved, extrapolated by Richardson's rule. Of the table of extrapolations each element takes the entry whose
// neighbours it differs least from (Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", Advances in Engineering
// Software 4, 1982). What is NaN or infinite, beyond the end of a domain, is passed over.
#pragma once

#include <ricci/core/owned_array.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// `f(t, y)` writes the n numbers of f at t, which are known to within `epsilon`. The derivatives at 0 are written to
// `to`; NaN where there is none. No more steps are made than are needed to be within `accuracy`, relative to each.
template <class F>
void differentiate(F const& f, index_t n, double step, int levels, double accuracy, double epsilon, double* to) {
  core::owned_array<double> now(n * levels), before(n * levels), plus(n), minus(n), error(n);
  for (index_t e = 0; e < n; ++e)
    error[e] = std::numeric_limits<double>::max(), to[e] = std::numeric_limits<double>::quiet_NaN();
  bool done = false;
  for (int i = 0; i < levels && !done; ++i, step /= 2) {
    f(step, &plus[0]);
    f(-step, &minus[0]);
    done = i > 1;
    for (index_t e = 0; e < n; ++e) {
      double const first = now[e] = (plus[e] - minus[e]) / (2 * step);
      if (to[e] != to[e] && first - first == 0) to[e] = first;
      double factor = 4;
      for (int j = 1; j <= i; ++j, factor *= 4) {
        double const lower = now[(j - 1) * n + e], older = before[(j - 1) * n + e];
        double const next = now[j * n + e] = lower + (lower - older) / (factor - 1);
        double const a = next < lower ? lower - next : next - lower, b = next < older ? older - next : next - older;
        double const worst = a > b ? a : b;
        if (worst < error[e]) error[e] = worst, to[e] = next;
      }
      double const noise = 16 * epsilon * (plus[e] < 0 ? -plus[e] : plus[e]) / step;
      done = done && (error[e] <= accuracy * (to[e] < 0 ? -to[e] : to[e]) || error[e] <= noise);
    }
    auto row = static_cast<core::owned_array<double>&&>(now);
    now = static_cast<core::owned_array<double>&&>(before);
    before = static_cast<core::owned_array<double>&&>(row);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
