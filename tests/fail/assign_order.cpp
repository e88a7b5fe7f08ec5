// (order|extents).*|2, ?3.*3
// A tensor is assigned a tensor of its own order.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  rc::tensor<float, 2, 3> b = 2.f * a;
#else
  rc::tensor<float, 3> b = 2.f * a;
#endif
}
