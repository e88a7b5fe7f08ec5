// run-time (value|state).*argument
// What a function captured is not known while compiling.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main(int argc, char**) {
  rc::tensor<float, 3> a{1, 2, 3};
  float scale = float(argc);
#ifdef FIXED
  auto y = rc::fn([](auto x, auto s) { return s * x; })(a, scale);
#else
  auto y = rc::fn([=](auto x) { return scale * x; })(a);
#endif
}
