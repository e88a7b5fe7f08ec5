// comparisons do not chain: a < x < b compares a condition with b
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  rc::fn([](auto x) { return rc::where((0. < x) & (x < 1.), x, 0.); })(x);
#else
  rc::fn([](auto x) { return rc::where(0. < x < 1., x, 0.); })(x);
#endif
}
