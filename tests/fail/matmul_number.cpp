// matmul.*order|matmul.*\(\)|matmul.*extents<>|matmul.*float
// A product needs two tensors; a number multiplies with *.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(2.f * a);
#else
  auto c = rc::eval(rc::matmul(a, 2.f));
#endif
}
