// complex numbers do not go into a tensor of real ones: rc::real
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
  std::complex<double> const z(5, 7);
#ifdef FIXED
  x = rc::put(x, 1, z.real());
#else
  x = rc::put(x, 1, z);
#endif
}
