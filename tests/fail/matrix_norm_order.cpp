// matrix_norm: the order of a matrix's norm is fro, nuc, or ord of 1, 2 or inf, or minus these
// A norm that matrices do not have.
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3, 3> a;
#ifdef FIXED
  auto y = rc::eval(rc::linalg::matrix_norm(a, rc::linalg::ord<2>));
#else
  auto y = rc::eval(rc::linalg::matrix_norm(a, rc::linalg::ord<3>));
#endif
}
