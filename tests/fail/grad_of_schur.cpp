// a_call_is_derived_that_has_no_jvp_or_vjp
// stops a constant evaluation: a Schur form has no derivative
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 2> a{{1, 2}, {3, 4}};
#ifdef FIXED
  auto g = rc::grad([](auto m) { return rc::sum(m); })(a);
#else
  auto g = rc::grad([](auto m) { return rc::sum(rc::linalg::schur(m).T); })(a);
#endif
  return int(g(0, 0));
}
