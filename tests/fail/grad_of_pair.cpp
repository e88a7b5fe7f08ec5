// rc::grad\(f, rc::has_aux\)
// Of what a function returns beside the number that is derived, has_aux says.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
  auto const f = [](auto x) { return std::pair(rc::sum(x * x), x); };
#ifdef FIXED
  auto [both, g] = rc::value_and_grad(f, rc::has_aux)(a);
#else
  rc::value_and_grad(f)(a);
#endif
}
