// jvp_waiting_for_tangents
// jvp takes its arguments in two steps: what the first one returns is no pair of value and tangent.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> x{1, 2, 3}, dx{1, 0, 0};
  auto const f = [](auto x) { return rc::sin(x); };
#ifdef FIXED
  auto [y, dy] = rc::jvp(f)(x)(dx);
#else
  auto [y, dy] = rc::jvp(f)(x, dx);
#endif
}
