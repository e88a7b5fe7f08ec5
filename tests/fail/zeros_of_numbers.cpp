// the extents are one argument: rc::zeros<double>.rc::shape.2, 3..
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::ndarray<double, 2> y = rc::zeros<double>(rc::shape(2, 3));
#else
  auto y = rc::zeros<double>(2, 3);
#endif
}
