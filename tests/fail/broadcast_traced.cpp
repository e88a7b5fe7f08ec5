// multiply.*2, ?3.*4
// The same inside a traced function, however deep.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  auto f = [](auto x, auto y) { return rc::sum(rc::tanh(x * y)); };
#ifdef FIXED
  auto g = rc::grad(f)(a, rc::ones<float>(rc::extents<3>{}));
#else
  auto g = rc::grad(f)(a, rc::ones<float>(rc::extents<4>{}));
#endif
}
