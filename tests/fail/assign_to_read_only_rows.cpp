// this view is read only: it shows elements of a const tensor
// The same for rows named by an index tensor.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
using matrix = rc::ndarray<float, 2>;
#else
using matrix = rc::ndarray<float, 2> const;
#endif
void rows(matrix& a) { a(rc::tensor<std::int64_t, 2>{2, 0}) = 0.f; }
int main() {
  rc::ndarray<float, 2> a(3, 3);
  rows(a);
}
