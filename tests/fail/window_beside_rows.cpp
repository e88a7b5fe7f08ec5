// stands beside integers, ranges
// A window whose start is a value is made of an index tensor, which other index tensors would go together with.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4, 4> x;
  rc::tensor<int, 2> rows{0, 1};
#ifdef FIXED
  auto f = [](auto a, auto i, auto k) { return a(rc::slice<2>(k))(rc::all, i); };
#else
  auto f = [](auto a, auto i, auto k) { return a(rc::slice<2>(k), i); };
#endif
  auto y = rc::fn(f)(x, rows, 1);
}
