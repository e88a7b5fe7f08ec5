// clip takes its bounds one by one
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  auto y = rc::eval(rc::clip(x, 0., 1.));
#else
  auto y = rc::eval(rc::clip(x, {0., 1.}));
#endif
}
