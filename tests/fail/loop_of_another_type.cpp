// a loop's body returns a value of a type that the carry does not hold
// stops a constant evaluation
// What an iteration hands on has the carry's type: digits are not lost in silence.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto const start = 0.;
#else
  auto const start = 0;
#endif
  rc::fori_loop(
      0, 3, [](auto, auto x) { return x + .5; }, start);
}
