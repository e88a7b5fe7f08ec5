// conditions are updated by conditions
// As in NumPy: b += 3 would be true everywhere.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<bool, 3> b{true, false, true};
#ifdef FIXED
  b += true;
  b |= rc::tensor<bool, 3>{};
#else
  b += 3;
#endif
}
