// a sparse jacobian is of tensors of one element type, by tensors of one element type
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
#ifdef FIXED
  auto j = rc::sparse_jacobian([](auto x) { return std::pair(x * x, 2. * x); })(a);
#else
  auto j = rc::sparse_jacobian([](auto x) { return std::pair(x * x, rc::astype<float>(x)); })(a);
#endif
}
