// a_pullback_keeps_more_than_512_values
// stops a constant evaluation
// Every sine needs its operand again; the argument and the result count.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
constexpr int steps = 510;
#else
constexpr int steps = 511;
#endif
int main() {
  rc::tensor<double, 2> const x{1, 2};
  auto const [y, pull] = rc::vjp([](auto v) {
    for (int k = 0; k < steps; ++k) v = rc::sin(v);
    return v;
  })(x);
}
