// matrix_power: the exponent is named in its type: rc::known<3>
// A power that is known when the program runs.
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3, 3> a;
#ifdef FIXED
  auto y = rc::eval(rc::linalg::matrix_power(a, rc::known<3>));
#else
  rc::linalg::matrix_power(a, 3);
#endif
}
