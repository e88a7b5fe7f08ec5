// tensor<float, ?2, ?3>
// Too many elements in braces.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<float, 2, 3> t{{1, 2, 3}, {4, 5, 6}};
#else
  rc::tensor<float, 2, 3> t{{{1, 2, 3}}, {{4, 5, 6}}};
#endif
}
