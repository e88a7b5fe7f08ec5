// order 0
// The gradient of a statement that is no number.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto e = rc::exp(rc::wrt<"x">(x));
#ifdef FIXED
  auto d = rc::eval(rc::gradient_t<decltype(rc::sum(e)), "x">(rc::sum(e)));
#else
  auto d = rc::eval(rc::gradient_t<decltype(e), "x">(e));
#endif
}
