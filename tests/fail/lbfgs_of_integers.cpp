// all float or all double
// A minimiser goes by derivatives, which integers do not have.
#include <ricci/ricci.hpp>

#include <ricci/optimize/lbfgs.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<double, 2> const x0{1, 2};
#else
  rc::tensor<int, 2> const x0{1, 2};
#endif
  (void)rc::optimize::lbfgs([](auto const& x) { return rc::sum(x * x); }, x0);
}
