// add.*2, ?3.*4
// and nothing else
// Operands of a statement that do not broadcast: the operation and both shapes are named.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  rc::tensor<float, 3> b;
  rc::tensor<float, 2, 3> c = a + b;
#else
  rc::tensor<float, 4> b;
  auto c = rc::eval(a + b);
#endif
}
