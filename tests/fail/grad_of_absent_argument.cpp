// argument that the function does not have
// grad<2> of a function of two arguments.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto g = rc::grad<1>([](auto x, auto y) { return rc::sum(x * y); })(a, a);
#else
  auto g = rc::grad<2>([](auto x, auto y) { return rc::sum(x * y); })(a, a);
#endif
}
