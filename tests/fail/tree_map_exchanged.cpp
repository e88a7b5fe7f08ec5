// tree_map takes the function first, then the trees: rc::tree_map\(f, a, b\)
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5);
  auto const f = [](auto const& a) { return 2. * a; };
#ifdef FIXED
  auto const y = rc::tree_map(f, x);
#else
  rc::tree_map(x, f);
#endif
}
