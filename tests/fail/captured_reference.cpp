// run-time (value|state).*argument
// A captured reference is no better.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3}, b{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x, auto w) { return w * x; })(a, b);
#else
  auto y = rc::fn([&](auto x) { return b * x; })(a);
#endif
}
