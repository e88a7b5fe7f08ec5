// grad is called as rc::grad\(f\)\(x\.\.\.\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  rc::ndarray<double, 1> g = rc::grad(f)(x);
#else
  rc::ndarray<double, 1> g = rc::grad(f, x);
#endif
  (void)x, (void)f;
}
