// run-time (value|state).*argument
// The same through value_and_grad.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main(int argc, char**) {
  rc::tensor<float, 3> a{1, 2, 3};
  float scale = float(argc);
#ifdef FIXED
  auto y = rc::value_and_grad([](auto x, auto s) { return rc::sum(s * x); })(a, scale);
#else
  auto y = rc::value_and_grad([=](auto x) { return rc::sum(scale * x); })(a);
#endif
}
