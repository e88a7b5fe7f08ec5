// whose result is one number
// A gradient belongs to a function with one number as its result.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto g = rc::grad([](auto x) { return rc::sum(x * x); })(a);
#else
  auto g = rc::grad([](auto x) { return x * x; })(a);
#endif
}
