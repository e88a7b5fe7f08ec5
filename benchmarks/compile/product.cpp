// One matrix product, of dynamic extents or (-DSTATIC) of static ones; with -DPEER, in Eigen.
#ifdef PEER
#include <Eigen/Core>
#ifdef STATIC
using matrix = Eigen::Matrix<float, 16, 16, Eigen::RowMajor>;
#else
using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
#endif
void statement(matrix& c, matrix const& a, matrix const& b) { c.noalias() = a * b; }
#else
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef STATIC
using matrix = rc::tensor<float, 16, 16>;
#else
using matrix = rc::ndarray<float, 2>;
#endif
void statement(matrix& c, matrix const& a, matrix const& b) { c = rc::matmul(a, b); }
#endif

int main() {
#if defined(STATIC) && !defined(PEER)
  matrix a{}, b{}, c{};
#else
  matrix a(16, 16), b(16, 16), c(16, 16);
#endif
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) a(i, j) = 0.1f * float(i), b(i, j) = 1.f - float(j), c(i, j) = 0.f;
  statement(c, a, b);
  return !(c(3, 0) > 0.f);
}
