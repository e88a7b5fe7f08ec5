// operands_do_not_fit<.*take_at_function<.*extents<2>, .*extents<3>
// Integer tensors of one index are broadcast together.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
using indices = rc::tensor<int, 2>;
#else
using indices = rc::tensor<int, 3>;
#endif
int main() {
  rc::tensor<double, 4, 5> const x;
  rc::tensor<int, 2> const rows{0, 1};
  rc::eval(x(rows, indices{}));
}
