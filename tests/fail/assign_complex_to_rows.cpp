// real numbers hold real ones: x = z would lose the imaginary part
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<std::complex<double>, 2> z{{0, 1}, {2, -1}};
  rc::ndarray<double, 1> x(3);
  rc::tensor<int, 2> rows{2, 1};
#ifdef FIXED
  x(rows) = rc::real(z);
#else
  x(rows) = z;
#endif
}
