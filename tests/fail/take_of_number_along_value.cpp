// take: along an axis that is a value the indices are a tensor of integers
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(3, 4);
#ifdef FIXED
  auto row = rc::eval(x(1));
#else
  auto row = rc::eval(rc::take(x, 1, 0));
#endif
}
