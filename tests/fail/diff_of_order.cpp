// diff takes a tensor, the axis, the last one where none is named
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(3, 4);
#ifdef FIXED
  rc::diff<2>(x);
#else
  rc::diff(x, 2);
#endif
}
