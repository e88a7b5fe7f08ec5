// jacrev: a complex function of real arguments is derived by rc::jacfwd
// Rows are of the argument's type, and lacked the imaginary part.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto const f = [](auto v) { return v * std::complex<double>(1, 2); };
#ifdef FIXED
  auto j = rc::jacfwd(f)(x);
#else
  auto j = rc::jacrev(f)(x);
#endif
}
