// axes that stay with extent 1 are asked for by name: rc::sum.x, rc::axis<0>, rc::keepdims.
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
#ifdef FIXED
  auto y = rc::eval(rc::sum(x, rc::axis<0>, rc::keepdims));
#else
  auto y = rc::eval(rc::sum(x, rc::axis<0>, true));
#endif
}
