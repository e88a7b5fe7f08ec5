// linalg::cg takes a function that gives the product with the matrix
// and nothing else
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> a(3, 3);
  rc::ndarray<double, 1> b(3);
#ifdef FIXED
  auto const x = rc::linalg::cg([](auto v, auto m) { return rc::matmul(m, v); }, b, {}, a);
#else
  auto const x = rc::linalg::cg(a, b);
#endif
}
