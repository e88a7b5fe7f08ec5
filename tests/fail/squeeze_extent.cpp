// squeeze.*(2, ?3|1.*3)
// Only an axis of extent 1 can be left out.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::squeeze(rc::expand_dims(a, rc::axis<0>), rc::axis<0>));
#else
  auto c = rc::eval(rc::squeeze(a, rc::axis<0>));
#endif
}
