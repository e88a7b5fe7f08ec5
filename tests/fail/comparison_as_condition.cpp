// (order 0|rc::all|ricci::all|any)
// A comparison of tensors is a tensor of truths, not one.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  if (rc::all(a > 0.f)) return 0;
#else
  if (a > 0.f) return 0;
#endif
}
