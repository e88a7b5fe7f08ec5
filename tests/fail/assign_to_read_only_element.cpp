// read.only|returns a const value
// An element of a view of a const tensor is a const reference.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
using matrix = rc::ndarray<float, 2>;
#else
using matrix = rc::ndarray<float, 2> const;
#endif
void element(matrix& a) { a(0, rc::all)(1) = 3.f; }
int main() {
  rc::ndarray<float, 2> a(3, 3);
  element(a);
}
