// this operation is not defined for complex numbers
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<std::complex<float>, 3> z{};
#ifdef FIXED
  rc::eval(rc::max(rc::abs(z)));
#else
  rc::eval(rc::max(z));
#endif
}
