// an argument of a traced function is
// Arguments are tensors, numbers, or records of them.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto y = rc::fn([](auto x) { return 2.f * x; })(a);
#else
  auto y = rc::fn([](auto x) { return 2.f * x; })(&a);
#endif
}
