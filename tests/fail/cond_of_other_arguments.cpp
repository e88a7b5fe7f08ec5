// cond: both functions take what stands behind them
// and nothing else, behind the way to it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  auto y = rc::cond(
      rc::sum(x) > 0., [](auto v) { return v(0) + 1.; }, f, x);
#else
  auto y = rc::cond(
      rc::sum(x) > 0., [] { return 1.; }, f, x);
#endif
  (void)x, (void)f;
}
