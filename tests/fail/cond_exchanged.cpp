// a tensor or number stands where a function belongs
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  auto y = rc::cond(rc::sum(x) > 0., f, f, x);
#else
  auto y = rc::cond(f, f, x, rc::sum(x) > 0.);
#endif
  (void)x, (void)f;
}
