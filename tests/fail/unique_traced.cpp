// shape depends on elements.*(where|bincount)
// stops a constant evaluation
// In a traced function nobody knows how many distinct elements there are.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto f = [](auto x) { return rc::sum(rc::where(x > 2.f, x, 0.f)); };
#else
  auto f = [](auto x) { return rc::sum(rc::unique_values(x)); };
#endif
  auto c = rc::fn(f)(a);
}
