// eye makes matrices
// eye of order 3.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto e = rc::eye<float>(rc::extents<3, 3>{});
#else
  auto e = rc::eye<float>(rc::extents<3, 3, 3>{});
#endif
}
