// linalg::solve\(a, b\) takes the matrix, then the right side
// and nothing else
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> a(3, 3);
  rc::ndarray<double, 1> b(3);
#ifdef FIXED
  auto const x = rc::eval(rc::linalg::solve(a, b));
#else
  auto const x = rc::eval(rc::linalg::solve(a));
#endif
}
