// the axis of a tensor of static extents is a constant: rc::axis<0>
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> x{{3, 1, 2}, {6, 5, 4}};
#ifdef FIXED
  constexpr auto first = rc::axis<0>;
#else
  int const first = 0;
#endif
  rc::eval(rc::sort(x, first));
  rc::eval(rc::cumulative_sum(x, first));
}
