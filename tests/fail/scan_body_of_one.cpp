// scan: the function takes the carry and an element of xs
// and nothing else, behind the way to it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  auto y = rc::scan([](auto c, auto e) { return std::pair(c + e, c); }, 0., x);
#else
  auto y = rc::scan([](auto c) { return std::pair(c, c); }, 0., x);
#endif
  (void)x, (void)f;
}
