// called with another number of operands than it takes
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5), y(5);
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<double, 1> z = rc::maximum(x, 0.);
#else
  rc::ndarray<double, 1> z = rc::clip(x, 0.);
#endif
  (void)x, (void)y, (void)m;
}
