// sum.*(1, ?-1|1l, -1|2, ?3)
// An axis is reduced once.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::sum(a, rc::axis<0, 1>));
#else
  auto c = rc::eval(rc::sum(a, rc::axis<1, -1>));
#endif
}
