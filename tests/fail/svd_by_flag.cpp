// linalg::svd takes a matrix, or a batch of them
// and nothing else
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3, 4> x;
#ifdef FIXED
  auto [u, s, vh] = rc::linalg::svd(x, rc::full_matrices<false>);
#else
  auto [u, s, vh] = rc::linalg::svd(x, false);
#endif
}
