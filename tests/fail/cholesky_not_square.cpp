// cholesky.*2, ?3
// A factor of a matrix of static extents that is not square.
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<float, 3, 3> a;
#else
  rc::tensor<float, 2, 3> a;
#endif
  auto l = rc::eval(rc::linalg::cholesky(a));
}
