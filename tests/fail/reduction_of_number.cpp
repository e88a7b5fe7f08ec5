// needs a tensor, and is given C\+\+ numbers
// A reduction has no meaning for a C++ number.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> x{1, 2, 3};
#ifdef FIXED
  float y = float(rc::sum(x));
#else
  float y = float(rc::sum(x(1)));
#endif
  return y == 6;
}
