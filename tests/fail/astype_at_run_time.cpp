// the element type is named in angle brackets: rc::astype<float>\(x\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{0, 1, 2, 3};
#ifdef FIXED
  rc::tensor<float, 4> y = rc::astype<float>(x);
#else
  rc::tensor<float, 4> y = rc::astype(x, rc::dtype::float32);
#endif
}
