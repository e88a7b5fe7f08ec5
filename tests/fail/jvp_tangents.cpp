// one tangent for every argument
// A tangent for every argument.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::jvp([](auto x, auto w) { return x * w; })(a, a)(a, a);
#else
  auto y = rc::jvp([](auto x, auto w) { return x * w; })(a, a)(a);
#endif
}
