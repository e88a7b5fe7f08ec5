// has the element type of its result
// A target of another element type.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 4> x;
#ifdef FIXED
  rc::tensor<float, 4> y;
#else
  rc::tensor<double, 4> y;
#endif
  rc::fn([](auto a) { return a * 2.f; }).into(y)(x);
}
