// einsum: there are not as many operands as subscripts
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> a;
  rc::tensor<double, 3, 4> b;
#ifdef FIXED
  auto y = rc::eval(rc::einsum<"ij, jk -> ik">(a, b));
#else
  auto y = rc::eval(rc::einsum<"ij, jk -> ik">(a));
#endif
  (void)b;
}
