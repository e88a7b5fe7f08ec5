// ricci::where
// A traced function has no values to branch on.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x) { return rc::where(x > 0.f, x, -x); })(a);
#else
  auto y = rc::fn([](auto x) {
    if (rc::max(x) > 0.f) return x;
    return -x;
  })(a);
#endif
}
