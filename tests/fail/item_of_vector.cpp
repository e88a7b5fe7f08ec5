// (order 0|item)
// item() reads a tensor of order 0.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  float x = rc::sum(a).item();
#else
  float x = a.item();
#endif
  (void)x;
}
