// take.*integer|index.*integer|integer.*(index|indices)
// Positions are integers.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::take(a, rc::tensor<int, 2>{1, 0}, rc::axis<0>));
#else
  auto c = rc::eval(rc::take(a, rc::tensor<float, 2>{1, 0}, rc::axis<0>));
#endif
}
