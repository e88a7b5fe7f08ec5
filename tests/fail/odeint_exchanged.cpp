// odeint: what f.y, t. returns has the extents of the state y
// stops a constant evaluation
// SciPy's solve_ivp takes the times before the state.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const swing = [](auto y, auto) { return rc::stack(y(1), -y(0)); };
  rc::tensor<double, 2> const y0{1, 0};
  rc::tensor<double, 3> const ts{0, 1, 2};
#ifdef FIXED
  rc::odeint(swing, y0, ts);
#else
  rc::odeint(swing, ts, y0);
#endif
}
