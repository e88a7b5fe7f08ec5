// takes its arguments by .auto.: it is called with symbols, not with tensors
// A lambda that names its parameters' types cannot be called with symbols.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
#ifdef FIXED
  auto g = rc::grad([](auto x) { return rc::sum(x * x); })(a);
#else
  auto g = rc::grad([](rc::tensor<double, 3> x) { return rc::sum(x * x); })(a);
#endif
}
