// a variable becomes what is computed of variables: x.value\(\) = y writes to its elements
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  rc::tensor<double, 3> x{4, 5, 6};
#ifdef FIXED
  w.value() = x;
#else
  w = x;
#endif
}
