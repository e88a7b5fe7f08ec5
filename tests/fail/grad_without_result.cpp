// returns no result: is a `return` missing
// What is derived returns something.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::grad([](auto x) { return rc::sum(x * x); })(a);
#else
  auto y = rc::grad([](auto x) { (void)rc::sum(x * x); })(a);
#endif
}
