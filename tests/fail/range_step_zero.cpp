// step other than 0
// A range that does not move.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(a(rc::all, rc::range<0, 3, 2>()));
#else
  auto c = rc::eval(a(rc::all, rc::range<0, 3, 0>()));
#endif
}
