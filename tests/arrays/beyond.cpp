#include <ricci/linalg.hpp>

#include "elementwise.hpp"

namespace oracle {

// What NumPy has beyond the standard.
void beyond_the_standard(registry& r) {
  unary<"bitwise_count", integers>(r, [](auto const& x) { return rc::bitwise_count(x); });
  binary<"gcd", integers>(r, [](auto const& a, auto const& b) { return rc::gcd(a, b); });
  binary<"lcm", integers>(r, [](auto const& a, auto const& b) { return rc::lcm(a, b); });
  add<forms<part<float, 1>, part<i4, 1>>, forms<part<std::uint8_t, 2>, part<double, 2>>,
      forms<lazy<i2, ext<dyn, 3>>, owner<float, ext<2, dyn>>>, forms<owner<i4, ext<2, 3>>, owner<double, ext<2, 3>>>>(
      r, "lexsort", "", "rc::lexsort(second, first)", [](auto const& a, auto const& b) { return rc::lexsort(a, b); });
  add<forms<part<float, 1>, part<float, 2>>, forms<part<c8, 1>, part<c8, 1>>, forms<part<i4, 1>, part<i4, 3>>,
      forms<lazy<double, ext<dyn>>, owner<double, ext<2, dyn>>>, forms<owner<float, ext<4>>, owner<float, ext<2, 3>>>>(
      r, "polyval", "", "rc::polyval(p, x)", [](auto const& p, auto const& x) { return rc::polyval(p, x); });
  add<only_compiled<part<double, 1>, part<double, 1>>, only_compiled<part<float, 1>, part<float, 1>>,
      only_compiled<lazy<double, ext<dyn>>, owner<double, ext<7>>>,
      only_compiled<owner<double, ext<9>>, owner<double, ext<9, 2>>>>(
      r, "polyfit", "degree=2", "rc::linalg::polyfit(x, y, rc::known<2>)",
      [](auto const& x, auto const& y) { return rc::linalg::polyfit(x, y, rc::known<2>); });
}

}  // namespace oracle
