// 2, ?4.*2, ?3
// Nor is a tensor made from one of other static extents.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  rc::tensor<float, 2, 3> b = rc::exp(a);
#else
  rc::tensor<float, 2, 4> b = rc::exp(a);
#endif
}
