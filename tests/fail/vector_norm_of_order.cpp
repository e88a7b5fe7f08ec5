// vector_norm: the order is named in its type
// and nothing else
// NumPy's norm(x, 1) is one of order 1: with an axis there, it would be another number in silence.
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<double, 1> y = rc::linalg::vector_norm(m, rc::linalg::ord<1>, rc::axis<1>);
#else
  rc::ndarray<double, 1> y = rc::linalg::vector_norm(m, 1);
#endif
}
