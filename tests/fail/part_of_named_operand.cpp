// part of an expression with named operands would be a constant for its derivatives
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto e = rc::sin(rc::wrt<"x">(x));
#ifdef FIXED
  auto part = rc::take(e, rc::tensor<int, 1>{0}, rc::axis<0>);
#else
  auto part = e(rc::range(0, 1));
#endif
  rc::eval(rc::derivative<"x">(rc::sum(part * e)));
}
