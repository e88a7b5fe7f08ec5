// an equation's function, and what solves it, return the extents of x
// stops a constant evaluation
// dy/dt is like y: of another shape it is not cut or repeated.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto f = [](auto k) {
#ifdef FIXED
    auto field = [=](auto y, auto) { return rc::stack(k * y(0), y(1), y(2)); };
#else
    auto field = [=](auto y, auto) { return rc::stack(k * y(0), y(1)); };
#endif
    return rc::odeint(field, rc::tensor<double, 3>{1, 2, 3}, rc::tensor<double, 2>{0, 1});
  };
  rc::fn(f)(1.);
}
