// number_of_operands<ricci::where_t, 3, 1>
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5), y(5);
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<double, 1> z = rc::where(x > 0., x, 0.);
#else
  rc::ndarray<double, 1> z = rc::where(x > 0.);
#endif
  (void)x, (void)y, (void)m;
}
