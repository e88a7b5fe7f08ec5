// a temporary is assigned to
// Parts of what is computed are temporaries.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> x(3, 3);
#ifdef FIXED
  x(0) = 1.f;
#else
  (x + x)(0) = 1.f;
#endif
}
