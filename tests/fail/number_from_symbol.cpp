// ricci::where
// Nor does a conversion read one.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x) { return rc::sum(x) * x; })(a);
#else
  auto y = rc::fn([](auto x) { return float(rc::sum(x)) * x; })(a);
#endif
}
