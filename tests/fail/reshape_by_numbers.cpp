// the extents are one argument: rc::shape.2, 3.
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
#ifdef FIXED
  auto y = rc::eval(rc::reshape(x, rc::shape(-1, 2)));
#else
  auto y = rc::eval(rc::reshape(x, -1, 2));
#endif
}
