// the expression has no operand of that name: name it by ricci::wrt
// An element by element derivative by a name that stands nowhere in the expression.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{1, 2, 3, 4};
#ifdef FIXED
  rc::tensor<double, 4> d = rc::derivative<"x">(rc::sin(rc::wrt<"x">(x)));
#else
  rc::tensor<double, 4> d = rc::derivative<"y">(rc::sin(rc::wrt<"x">(x)));
#endif
}
