// backward\(\) starts from one number: of more, backward\(cotangent\) says how they are weighted
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  rc::variable y = w * w;
#ifdef FIXED
  y.backward(rc::tensor<double, 3>{1, 1, 1});
#else
  y.backward();
#endif
}
