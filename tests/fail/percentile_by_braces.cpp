// quantile and percentile take a tensor, then which, a number or a tensor of order 1
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{0, 1, 2, 3};
#ifdef FIXED
  rc::tensor<double, 2> y = rc::percentile(x, rc::tensor<double, 2>{5, 95});
#else
  rc::tensor<double, 2> y = rc::percentile(x, {5., 95.});
#endif
}
