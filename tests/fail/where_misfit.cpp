// where.*3.*4
// and nothing else
// All three operands of where broadcast together.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::where(a > 2.f, a, 0.f));
#else
  auto c = rc::eval(rc::where(a > 2.f, a, rc::ones<float>(rc::extents<4>{})));
#endif
}
