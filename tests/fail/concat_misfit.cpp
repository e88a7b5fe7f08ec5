// concat.*2, ?3.*2, ?4
// Joined tensors agree in all axes but one.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<float, 2, 4> b;
#ifdef FIXED
  auto c = rc::eval(rc::concat(std::tuple(a, b), rc::axis<1>));
#else
  auto c = rc::eval(rc::concat(std::tuple(a, b), rc::axis<0>));
#endif
}
