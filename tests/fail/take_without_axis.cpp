// take: of a tensor with several axes the axis is named, rc::take\(x, indices, rc::axis<0>\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
#ifdef FIXED
  auto const y = rc::eval(rc::take(x, 0, rc::axis<0>));
#else
  auto const y = rc::eval(rc::take(x, 0));
#endif
}
