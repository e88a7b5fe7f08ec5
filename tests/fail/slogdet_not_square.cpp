// slogdet.*2, ?3|sign_and_log.*2, ?3
// Several results of a matrix of static extents that is not square.
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<float, 3, 3> a;
#else
  rc::tensor<float, 2, 3> a;
#endif
  auto [sign, logabsdet] = rc::linalg::slogdet(a);
}
