// tangent
// A tangent has the shape of its argument.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
  rc::tensor<float, 4> b;
#ifdef FIXED
  auto y = rc::jvp([](auto x) { return x * x; })(a)(a);
#else
  auto y = rc::jvp([](auto x) { return x * x; })(a)(b);
#endif
}
