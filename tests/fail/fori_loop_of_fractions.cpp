// fori_loop: the bounds are integers
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  double k = 1;
#ifdef FIXED
  auto y = rc::fori_loop(
      0, 3, [k](auto, auto x) { return x + k; }, 0.);
#else
  auto y = rc::fori_loop(
      0, 3.7, [k](auto, auto x) { return x + k; }, 0.);
#endif
}
