// element by element and, or, not are
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  x((x > 0.) & (x < 1.)) = 2.;
#else
  x(x > 0. && x < 1.) = 2.;
#endif
}
