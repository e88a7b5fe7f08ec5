// a bool is no index: an element is named by integers
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  x(1) = 2.;
#else
  x(true) = 2.;
#endif
}
