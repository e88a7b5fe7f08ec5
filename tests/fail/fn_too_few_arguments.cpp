// (argument)
// A traced function is called with as many arguments as it takes.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x, auto w) { return x * w; })(a, a);
#else
  auto y = rc::fn([](auto x, auto w) { return x * w; })(a);
#endif
}
