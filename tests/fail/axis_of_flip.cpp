// the axis along which this runs is named in its type: rc::axis<0>
// and nothing else
// So it is for squeeze, expand_dims and, behind a second operand, for roll and repeat.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
#ifdef FIXED
  auto y = rc::eval(rc::flip(x, rc::axis<1>));
#else
  auto y = rc::eval(rc::flip(x, 1));
#endif
}
