// a reduction takes one tensor, and behind it the axes
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(3, 4);
#ifdef FIXED
  rc::sum(x, 1);
#else
  rc::sum(x, 1.);
#endif
}
