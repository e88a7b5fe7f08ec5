// a variable holds real floating numbers: rc::astype<double>\(x\)
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
#ifdef FIXED
  tape.variable(rc::tensor<double, 3>{1, 2, 3});
#else
  tape.variable(rc::tensor<int, 3>{1, 2, 3});
#endif
}
