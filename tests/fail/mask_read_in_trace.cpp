// a traced function cannot read the elements that a mask names
// stops a constant evaluation
// How many there are is only known when it runs.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  auto f = [](auto a) { return rc::sum(rc::where(a > 2., a, 0.)); };
#else
  auto f = [](auto a) { return rc::sum(a(a > 2.)); };
#endif
  auto y = rc::fn(f)(x);
}
