// a direction for each
// Directions follow the arguments, as many of them.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
  auto const f = [](auto x, auto y) { return x * y; };
#ifdef FIXED
  auto series = rc::jet<2>(f)(a, a, a, a);
#else
  auto series = rc::jet<2>(f)(a, a, a);
#endif
}
