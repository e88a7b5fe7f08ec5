// no operand of that name
// The same where the type of the gradient is asked for.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto e = rc::sum(rc::exp(rc::wrt<"x">(x)));
  using E = decltype(e);
#ifdef FIXED
  static_assert(rc::Expression<rc::gradient_t<E, "x">>);
#else
  static_assert(rc::Expression<rc::gradient_t<E, "y">>);
#endif
  (void)e;
}
