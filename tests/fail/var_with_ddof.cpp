// a reduction takes one tensor, and behind it the axes
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5), y(5);
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<double, 1> z = rc::var(m, rc::axis<0>, rc::correction(1));
#else
  rc::ndarray<double, 1> z = rc::var(m, 0, 1);
#endif
  (void)x, (void)y, (void)m;
}
