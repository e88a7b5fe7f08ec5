// multiply.*4.*3
// One static extent is enough to see a misfit while compiling.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, rc::dyn, 3> a(5, 3);
#ifdef FIXED
  rc::tensor<float, rc::dyn, 3> x(5, 3);
  auto c = rc::eval(x * a);
#else
  rc::tensor<float, rc::dyn, 4> x(5, 4);
  auto c = rc::eval(x * a);
#endif
}
