// a traced function does not go over elements
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  rc::fn([](auto x) {
    auto y = x(0) * 0.;
#ifdef FIXED
    for (int k = 0; k < 3; ++k) y = y + x(k);
#else
    for (auto e : x) y = y + e;
#endif
    return y;
  })(x);
}
