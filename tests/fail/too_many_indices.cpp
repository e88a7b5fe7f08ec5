// more (axes|indices)|index
// An order-2 tensor takes two indices.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  float x = a(1, 2);
#else
  float x = a(1, 2, 0);
#endif
  (void)x;
}
