// count and explain look at one call
// A pullback is two functions.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
  auto const f = [](auto x) { return rc::sum(x * x); };
#ifdef FIXED
  auto y = rc::count(rc::grad(f), a);
#else
  auto y = rc::count(rc::vjp(f), a);
#endif
}
