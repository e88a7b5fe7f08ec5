// no tensor or view that can be assigned to: it is computed
// Only tensors and views are assigned to.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  a = a + a;
#else
  a + a = a;
#endif
}
