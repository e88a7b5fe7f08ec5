// a tensor holds
// Element types are listed in the documentation.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<double, 3> t;
#else
  rc::tensor<char, 3> t;
#endif
}
