// sort and argsort take a tensor, the axis, the last one where none is named, and the order
// and nothing else
// A bool is no axis, nor is a number with a fraction.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(3, 4);
#ifdef FIXED
  rc::sort(x, rc::axis<1>, rc::descending);
#else
  rc::sort(x, true);
#endif
}
