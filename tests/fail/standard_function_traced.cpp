// std::sin takes numbers; of tensors, and in traced functions, rc::sin is the function
#include <cmath>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  auto y = rc::fn([](auto x) { return rc::sin(x) * 2.; })(x);
#else
  auto y = rc::fn([](auto x) { return std::sin(x) * 2.; })(x);
#endif
}
