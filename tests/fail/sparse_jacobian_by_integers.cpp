// a sparse jacobian is of real numbers, by real numbers
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
  rc::tensor<int, 2> i{0, 2};
  auto f = [](auto rows, auto x) { return rc::take(x, rows) * 2.; };
#ifdef FIXED
  auto j = rc::sparse_jacobian<1>(f)(i, a);
#else
  auto j = rc::sparse_jacobian(f)(i, a);
#endif
}
