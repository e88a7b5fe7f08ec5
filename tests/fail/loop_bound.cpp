// fori_loop: the bounds are integers
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto const n = 3;
#else
  auto const n = 3.;
#endif
  rc::fori_loop(
      0, n, [](auto, auto x) { return x + .5; }, 1.);
}
