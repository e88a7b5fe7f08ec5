// real numbers are updated by real ones
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x;
  std::complex<double> const z(1, 2);
#ifdef FIXED
  x += z.real();
#else
  x += z;
#endif
}
