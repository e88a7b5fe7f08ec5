// a target is a tensor, not a view or an expression
// A view as the target of a function: a part is assigned.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> x = rc::ones<float>(rc::shape(4, 8));
  rc::ndarray<float, 1> y = rc::ones<float>(rc::shape(8));
  auto row = x(1, rc::all);
  auto const f = [](auto a) { return a * 2.f; };
#ifdef FIXED
  row = rc::fn(f)(y);
#else
  rc::fn(f).into(row)(y);
#endif
}
