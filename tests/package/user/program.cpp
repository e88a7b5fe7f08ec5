// The smallest program that needs the headers and the standard they are written in.
#ifdef IMPORT_RICCI
import ricci;
#else
#include <ricci/ricci.hpp>
#endif
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
  return rc::sum(2.f * a).item() == 12.f ? 0 : 1;
}
