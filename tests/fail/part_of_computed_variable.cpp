// part of what is computed of variables would not be recorded: name it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
#ifdef FIXED
  rc::variable y = w * w;
  rc::variable first = y(0) * 1.;
#else
  rc::variable first = (w * w)(0) * w;
#endif
}
