// no matching function for call to 'shape|no matching function for call to .*shape
// Extents are integers.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  double const n = 3;
#ifdef FIXED
  auto x = rc::zeros<float>(rc::shape(int(n), 2));
#else
  auto x = rc::zeros<float>(rc::shape(n, 2));
#endif
}
