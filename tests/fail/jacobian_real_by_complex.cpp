// a real function of a complex argument has no jacobian, as it is not holomorphic
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<std::complex<double>, 2> z{{1, 2}, {3, -1}};
#ifdef FIXED
  auto j = rc::jacfwd([](auto v) { return v * v; })(z);
#else
  auto j = rc::jacfwd([](auto v) { return rc::real(v); })(z);
#endif
}
