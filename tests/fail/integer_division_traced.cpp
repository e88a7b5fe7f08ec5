// floor_divide
// The same on symbols.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<int, 3> a{1, 2, 3};
#ifdef FIXED
  auto b = rc::fn([](auto x) { return rc::floor_divide(x, x); })(a);
#else
  auto b = rc::fn([](auto x) { return x / x; })(a);
#endif
}
