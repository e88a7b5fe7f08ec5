// matmul.*8, ?16.*17, ?4
// and nothing else
// A product of static extents whose inner ones differ.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 8, 16> a;
#ifdef FIXED
  auto c = rc::eval(rc::matmul(a, rc::ones<float>(rc::extents<16, 4>{})));
#else
  auto c = rc::eval(rc::matmul(a, rc::ones<float>(rc::extents<17, 4>{})));
#endif
}
