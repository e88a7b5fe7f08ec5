// variables lie on the host, not on a device
#include <ricci/device.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto const x = rc::copy(rc::tensor<double, 3>{1, 2, 3}, rc::device{0});
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
#ifdef FIXED
  rc::variable y = w * rc::copy(x, rc::cpu{});
#else
  rc::variable y = w * x;
#endif
}
