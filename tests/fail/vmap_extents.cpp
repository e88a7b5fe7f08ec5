// different numbers of elements
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> x;
#ifdef FIXED
  rc::tensor<float, 3> y;
#else
  rc::tensor<float, 4> y;
#endif
  auto z = rc::vmap([](auto a, auto b) { return a * b; })(x, y);
}
