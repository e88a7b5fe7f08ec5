// vmap is called as rc::vmap\(f\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  rc::ndarray<double, 1> y = rc::vmap(f, rc::in_axes<0>)(rc::ndarray<double, 2>(3, 4));
#else
  rc::ndarray<double, 1> y = rc::vmap(f, 0)(rc::ndarray<double, 2>(3, 4));
#endif
  (void)x, (void)f;
}
