// rc::shape
// An extent that is not known has to be given as a value.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto x = rc::zeros<float>(rc::shape(4, 3));
#else
  auto x = rc::zeros<float>(rc::extents<rc::dyn, 3>{});
#endif
}
