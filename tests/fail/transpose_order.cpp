// T\(\) is for matrices
// T() of what is no matrix.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3, 4> x;
#ifdef FIXED
  auto c = rc::eval(rc::permute_dims(x, rc::axis<2, 1, 0>));
#else
  auto c = rc::eval(x.T());
#endif
}
