// 2, ?3.*2, ?4|2, ?4.*2, ?3
// and nothing else
// A tensor of static extents is assigned a tensor of these extents.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  rc::tensor<float, 2, 3> b;
  b = a + 1.f;
#else
  rc::tensor<float, 2, 4> b;
  b = a + 1.f;
#endif
}
