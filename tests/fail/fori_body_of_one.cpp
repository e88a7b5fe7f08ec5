// fori_loop: the body takes the number of the iteration and the carry
// and nothing else, behind the way to it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  rc::ndarray<double, 1> y = rc::fori_loop(
      0, 3, [](auto, auto c) { return c + 1.; }, x);
#else
  rc::ndarray<double, 1> y = rc::fori_loop(
      0, 3, [](auto c) { return c + 1.; }, x);
#endif
  (void)x, (void)f;
}
