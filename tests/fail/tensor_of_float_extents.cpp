// the extents of a tensor are integers
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::ndarray<double, 2> x(2, 3);
#else
  rc::ndarray<double, 2> x(2.5, 3);
#endif
}
