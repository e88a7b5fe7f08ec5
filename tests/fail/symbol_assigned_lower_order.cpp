// a symbol keeps its type when it is assigned to
// stops a constant evaluation
// A symbol of order 2 is assigned what has order 1: a tensor is not broadcast to its target either.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> x;
  auto const f = [](auto h) {
#if defined(FIXED)
    h = h + rc::sum(h, rc::axis<0>);
#else
    h = rc::sum(h, rc::axis<0>);
#endif
    return h;
  };
  rc::fn(f)(x);
}
