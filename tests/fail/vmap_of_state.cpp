// run-time (value|state).*argument
// A function object with members is no better than a lambda with captures.
#include <ricci/ricci.hpp>
namespace rc = ricci;
struct scale {
  float by;
  auto operator()(auto x) const { return by * x; }
};
int main(int argc, char**) {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::vmap([](auto x, auto by) { return by * x; })(a, float(argc));
#else
  auto y = rc::vmap(scale{float(argc)})(a);
#endif
}
