// what is traced is a function, which stands alone
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  auto g = rc::grad(f);
#else
  auto g = rc::grad(x);
#endif
  (void)x, (void)f;
}
