// several axes are named in their types: rc::axes<0, 1>
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
#ifdef FIXED
  auto y = rc::eval(rc::sum(x, rc::axes<0, 1>));
#else
  auto y = rc::eval(rc::sum(x, {0, 1}));
#endif
}
