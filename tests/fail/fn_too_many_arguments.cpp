// (argument)
// Nor with more.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x) { return x * x; })(a);
#else
  auto y = rc::fn([](auto x) { return x * x; })(a, a);
#endif
}
