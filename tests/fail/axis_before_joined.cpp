// the axis along which tensors are joined stands behind them: rc::concat\(x, y, rc::axis<1>\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3), y(4, 3);
#ifdef FIXED
  rc::ndarray<double, 2> z = rc::concat(x, y, rc::axis<0>);
#else
  rc::ndarray<double, 2> z = rc::concat(rc::axis<0>, x, y);
#endif
}
