// reshape.*(4, ?2.*2, ?3|2, ?3.*4, ?2)
// and nothing else
// A reshape keeps the number of elements.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::reshape(a, rc::extents<3, 2>{}));
#else
  auto c = rc::eval(rc::reshape(a, rc::extents<4, 2>{}));
#endif
}
