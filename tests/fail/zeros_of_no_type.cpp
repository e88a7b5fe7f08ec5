// the element type is named: rc::zeros<double>
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::ndarray<double, 2> y = rc::zeros<double>(rc::shape(2, 3));
#else
  auto y = rc::zeros(rc::shape(2, 3));
#endif
}
