// run-time (value|state).*argument
// Before the many operators << that do not fit what has no result.
#include <iostream>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3}, b{1, 2, 3};
#ifdef FIXED
  std::cout << rc::fn([](auto x, auto w) { return w * x; })(a, b) << "\n";
#else
  std::cout << rc::fn([&](auto x) { return b * x; })(a) << "\n";
#endif
}
