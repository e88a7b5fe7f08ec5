// hstack.*2, ?3.*4, ?5
// What is a formula of another operation is told by its own name.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<float, 4, 5> b;
#ifdef FIXED
  auto c = rc::eval(rc::hstack(a, a));
#else
  auto c = rc::eval(rc::hstack(a, b));
#endif
}
