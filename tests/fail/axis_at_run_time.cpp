// rc::axis<0>
// The axis of a static tensor decides the type of the result, so it is a constant.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::sum(a, rc::axis<1>));
#else
  int k = 1;
  auto c = rc::eval(rc::sum(a, k));
#endif
}
