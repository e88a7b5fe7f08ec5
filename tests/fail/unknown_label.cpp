// no operand of that name
// A derivative by a label that no operand bears.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto e = rc::sum(rc::exp(rc::wrt<"x">(x)));
#ifdef FIXED
  auto d = rc::eval(rc::derivative<"x">(e));
#else
  auto d = rc::eval(rc::derivative<"y">(e));
#endif
}
