// explain is told a function and what it is called with
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
#ifdef FIXED
  auto e = rc::explain([](auto a) { return 2. * a; }, x);
#else
  auto e = rc::explain(2. * x);
#endif
}
