// integers are updated by integers
// As in NumPy, an update does not lose the fraction of what is added.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<int, 1> k(3);
#ifdef FIXED
  k += 1;
  k = k + .5;
#else
  k += .5;
#endif
}
