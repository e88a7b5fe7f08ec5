// assigns to names and to their parts
// A write to a part of a view of a symbol: nobody would see it.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 2> x{{1, 2}, {3, 4}};
  auto const f = [](auto x) {
#if defined(FIXED)
    x(rc::all, 0) = 1.;
#else
    x.T()(0) = 1.;
#endif
    return x;
  };
  rc::fn(f)(x);
}
