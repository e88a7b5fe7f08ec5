// comparisons do not chain: a < x < b compares a condition with b
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  auto inside = (0. < x) & (x < 1.);
#else
  auto inside = 0. < x < 1.;
#endif
  rc::eval(inside);
}
