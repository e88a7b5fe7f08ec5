// number of arguments that it does not take
// In any transform.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
#ifdef FIXED
  auto j = rc::jacrev([](auto x, auto y) { return x * y; })(a, a);
#else
  auto j = rc::jacrev([](auto x) { return x * x; })(a, a);
#endif
}
