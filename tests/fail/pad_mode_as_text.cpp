// pad takes a tensor, the widths
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5), y(5);
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<double, 2> z = rc::pad(m, rc::shape(1, 1, 2, 2), rc::edge);
#else
  rc::ndarray<double, 2> z = rc::pad(m, {{1, 1}, {2, 2}}, "edge");
#endif
  (void)x, (void)y, (void)m;
}
