// cannot hold what a traced function computes
// stops a constant evaluation
// A tensor that a traced function makes of constants holds numbers; what its loop carries is a symbol.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{1, 2, 3, 4};
  rc::fn([](auto x) {
#ifdef FIXED
    auto s = rc::zeros<double>(rc::extents<4>{}, rc::like(x));
#else
    auto s = rc::zeros<double>(rc::extents<4>{});
#endif
    for (int i = 0; i < 2; ++i) s = s + x;
    return s;
  })(x);
}
