// by other arguments than the first as rc::grad<0, 1>
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  rc::ndarray<double, 1> g = rc::grad<0>(f)(x);
#else
  rc::ndarray<double, 1> g = rc::grad(f, 0)(x);
#endif
  (void)x, (void)f;
}
