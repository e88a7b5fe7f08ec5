// T\(\) const.*did you forget|did you mean to call it with no arguments
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> x;
#ifdef FIXED
  auto y = rc::eval(x.T());
#else
  auto y = rc::eval(x.T);
#endif
}
