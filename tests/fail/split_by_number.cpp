// split is told in its type how many equal parts are wanted
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(4);
#ifdef FIXED
  auto [a, b] = rc::split<2>(x);
#else
  auto [a, b] = rc::split(x, 2);
#endif
}
