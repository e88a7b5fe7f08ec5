// grad derives a function whose result is a real number
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<std::complex<double>, 3> z{};
  rc::grad([](auto x) {
#ifdef FIXED
    return rc::real(rc::sum(x * x));
#else
    return rc::sum(x * x);
#endif
  })(z);
}
