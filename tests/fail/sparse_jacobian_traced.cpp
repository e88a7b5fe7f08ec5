// a sparse jacobian is no part of a traced function
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
#ifdef FIXED
  auto j = rc::fn([](auto x) { return rc::jacfwd([](auto y) { return y * y; })(x); })(a);
#else
  auto j = rc::fn([](auto x) { return rc::sparse_jacobian([](auto y) { return y * y; })(x); })(a);
#endif
}
