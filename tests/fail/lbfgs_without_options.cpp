// optimize::lbfgs takes options before the further arguments of f
// and nothing else
#include <ricci/optimize.hpp>
namespace rc = ricci;
int main() {
  constexpr auto loss = [](auto const& p, auto const& x) { return rc::sum(rc::square(p - x)); };
  rc::tensor<double, 3> const x{1, 2, 3};
#ifdef FIXED
  (void)rc::optimize::lbfgs(loss, rc::tensor<double, 3>{}, {}, x);
#else
  (void)rc::optimize::lbfgs(loss, rc::tensor<double, 3>{}, x);
#endif
}
