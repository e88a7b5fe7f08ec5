// range.*axis
// A constant range lies inside its axis.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(a(rc::all, rc::range<0, 3>()));
#else
  auto c = rc::eval(a(rc::all, rc::range<0, 4>()));
#endif
}
