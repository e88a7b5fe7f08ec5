// while_loop: the condition is one bool
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2> x{9, 7};
#ifdef FIXED
  auto const goes_on = [](auto y) { return rc::max(y) > 1.; };
#else
  auto const goes_on = [](auto y) { return y > 1.; };
#endif
  rc::while_loop(
      goes_on, [](auto y) { return .5 * y; }, x);
}
