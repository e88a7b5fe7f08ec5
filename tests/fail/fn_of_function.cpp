// a traced function is a lambda or a function object
// A function's address is no type.
#include <ricci/ricci.hpp>
namespace rc = ricci;
template <class X>
auto twice(X const& x) {
  return x + x;
}
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x) { return x + x; })(a);
#else
  auto y = rc::fn(&twice<rc::tensor<double, 3>>)(a);
#endif
}
