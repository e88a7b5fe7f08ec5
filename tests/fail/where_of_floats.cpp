// where: the condition, the first operand, is of bool or integers
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
#ifdef FIXED
  rc::ndarray<double, 1> y = rc::where(x != 0, x, 1.);
#else
  rc::ndarray<double, 1> y = rc::where(x, x, 1.);
#endif
}
