#include <ricci/ricci.hpp>
namespace rc = ricci;

int main() {
  rc::tensor<float, 3> a{1, 2, 3};
  auto g = rc::grad([](auto x) { return rc::sum(x * x); })(a);
  return rc::sum(g).item() == 12.f ? 0 : 1;
}
