// this view is read only: it shows elements of a const tensor
// The same by +=, under a mask.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
using matrix = rc::ndarray<float, 2>;
#else
using matrix = rc::ndarray<float, 2> const;
#endif
void masked(matrix& a) { a(a > 1.f) += 1.f; }
int main() {
  rc::ndarray<float, 2> a(3, 3);
  masked(a);
}
