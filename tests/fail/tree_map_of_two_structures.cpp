// go through trees of one structure
// A gradient by one tensor does not go with a pair of them.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  std::tuple<rc::tensor<float, 3>, rc::tensor<float, 2>> p;
#ifdef FIXED
  auto const g = p;
#else
  std::tuple<rc::tensor<float, 3>> g;
#endif
  rc::tree_map([](auto& w, auto const& d) { w -= .1f * d; }, p, g);
}
