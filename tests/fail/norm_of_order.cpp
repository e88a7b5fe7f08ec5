// norm: a number behind the tensor could be an order or an axis
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<double, 1> y = rc::norm(m, rc::axis<1>);
#else
  rc::ndarray<double, 1> y = rc::norm(m, 1);
#endif
}
