// a temporary is assigned to
// Rows that an integer tensor chooses are written as a whole: a part of them is computed.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> x(3, 3);
  rc::tensor<int, 2> rows{2, 0};
#ifdef FIXED
  x(rows) += 1.f;
#else
  x(rows)(0) += 1.f;
#endif
}
