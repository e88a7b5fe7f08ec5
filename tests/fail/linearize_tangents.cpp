// one tangent for every argument
// A pushforward takes them all at once.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
  auto const push = rc::linearize([](auto x, auto y) { return x * y; })(a, a).second;
#ifdef FIXED
  auto y = push(a, a);
#else
  auto y = push(a);
#endif
}
