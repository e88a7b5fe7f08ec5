// matmul.*5, ?2, ?3.*4, ?3, ?2
// Batches of a product follow the rules of broadcasting.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 5, 2, 3> a;
#ifdef FIXED
  auto c = rc::eval(rc::matmul(a, rc::ones<float>(rc::extents<5, 3, 2>{})));
#else
  auto c = rc::eval(rc::matmul(a, rc::ones<float>(rc::extents<4, 3, 2>{})));
#endif
}
