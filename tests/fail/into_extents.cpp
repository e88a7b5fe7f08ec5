// has the extents of its result
// A target that a result does not fit.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 4> x;
#ifdef FIXED
  rc::tensor<float, 4> y;
#else
  rc::tensor<float, 3> y;
#endif
  rc::fn([](auto a) { return a * 2.f; }).into(y)(x);
}
