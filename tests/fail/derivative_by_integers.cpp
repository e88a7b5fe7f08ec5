// a derivative is by an operand of floating-point or complex numbers, and this one's are integers or conditions
// An element by element derivative by integers.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  rc::tensor<int, 3> k{1, 2, 3};
#ifdef FIXED
  rc::tensor<double, 3> d = rc::derivative<"x">(k * rc::wrt<"x">(x));
#else
  rc::tensor<double, 3> d = rc::derivative<"k">(rc::wrt<"k">(k) * x);
#endif
}
