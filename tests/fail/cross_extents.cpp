// operands_do_not_fit<.*cross_t
// Only in three dimensions is there one vector that is perpendicular to two others.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<double, 3> a{1, 2, 3};
#else
  rc::tensor<double, 2> a{1, 2};
#endif
  auto b = rc::eval(rc::cross(a, a));
}
