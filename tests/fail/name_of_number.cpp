// names a tensor: of a number x make one of order 0
// A number is stored in the expression as it is, without a place that could have a name.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<double> const x(2.);
#else
  double const x = 2;
#endif
  rc::tensor<double> d = rc::derivative<"x">(rc::sin(rc::wrt<"x">(x)));
}
