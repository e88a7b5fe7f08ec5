// real numbers hold real ones: x = z would lose the imaginary part
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<std::complex<double>, 2> z{{0, 1}, {2, -1}};
  rc::ndarray<double, 1> x(2);
#ifdef FIXED
  x = rc::real(z);
#else
  x = z;
#endif
}
