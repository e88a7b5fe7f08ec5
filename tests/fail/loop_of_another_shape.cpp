// what the body of a loop returns has the extents of its carry
// stops a constant evaluation
// (loop and both: Op = fori_loop_t, Carry = extents<3>, Next = extents<> in the types above) A number that the body
// computes is not broadcast to its carry.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto f = [](auto x) {
    return rc::fori_loop(
        0, 3,
        [](auto, auto s) {
#ifdef FIXED
          return s * rc::sum(s);
#else
          return rc::sum(s);
#endif
        },
        x);
  };
  rc::fn(f)(x);
}
