// broadcast_to.*4, ?2.*3|broadcast_to.*3.*4, ?2
// Only extents of 1 are broadcast.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto c = rc::eval(rc::broadcast_to(a, rc::extents<4, 3>{}));
#else
  auto c = rc::eval(rc::broadcast_to(a, rc::extents<4, 2>{}));
#endif
}
