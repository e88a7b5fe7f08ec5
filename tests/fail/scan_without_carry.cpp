// scan is called as rc::scan\(f, carry, xs\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto v) { return rc::sum(rc::tanh(v)); };
#ifdef FIXED
  auto y = rc::scan([](auto c, auto e) { return std::pair(c + e, c); }, 0., x);
#else
  auto y = rc::scan([](auto c, auto e) { return std::pair(c + e, c); }, x);
#endif
  (void)x, (void)f;
}
