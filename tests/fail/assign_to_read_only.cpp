// this view is read only: it shows elements of a const tensor
// Parts of a const tensor are read only.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
using matrix = rc::ndarray<float, 2>;
#else
using matrix = rc::ndarray<float, 2> const;
#endif
void row(matrix& a) { a(0, rc::all) = a(1, rc::all) + 1.f; }
int main() {
  rc::ndarray<float, 2> a(3, 3);
  row(a);
}
