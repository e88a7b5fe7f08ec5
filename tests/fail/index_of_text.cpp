// an index consists of integers, rc::all, rc::range.a, b.
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> x;
#ifdef FIXED
  auto y = rc::eval(x(rc::all, 0));
#else
  auto y = rc::eval(x(":", 0));
#endif
}
