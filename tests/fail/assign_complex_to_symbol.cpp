// a symbol of real numbers holds real ones: x = z would lose the imaginary part
// and nothing else, behind the way to it
// A name in a traced function keeps its element type.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const f = [](auto x) {
    auto y = 2. * x;
#ifdef FIXED
    y = rc::real(std::complex<double>(1, 2) * x);
#else
    y = std::complex<double>(1, 2) * x;
#endif
    return y;
  };
  auto const y = rc::fn(f)(rc::tensor<double, 2>{1, 2});
}
