// odeint: the function is called as f\(y, t, a
// What says how a state changes is told the time, too.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const decay = [](auto k) {
#ifdef FIXED
    auto const slope = [=](auto y, auto) { return -k * y; };
#else
    auto const slope = [=](auto y) { return -k * y; };
#endif
    return rc::odeint(slope, 1., rc::tensor<double, 2>{0, 1});
  };
  rc::fn(decay)(.7);
}
