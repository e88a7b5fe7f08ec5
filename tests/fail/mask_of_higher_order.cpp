// a mask has the shape of the tensor that it indexes, or of its leading axes
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> x;
  rc::tensor<double, 2> y;
#ifdef FIXED
  auto z = rc::eval(x(y > 0.));
#else
  auto z = rc::eval(y(x > 0.));
#endif
}
