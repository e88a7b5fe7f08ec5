// one ellipsis
// With two ellipses nobody knows which axes each stands for.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(a(rc::ellipsis, 0));
#else
  auto c = rc::eval(a(rc::ellipsis, 0, rc::ellipsis));
#endif
}
