// the tensors that are joined are arguments
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3), y(3);
#ifdef FIXED
  auto z = rc::eval(rc::stack(x, y, rc::axis<1>));
#else
  auto z = rc::eval(rc::stack({x, y}, rc::axis<1>));
#endif
  (void)y;
}
