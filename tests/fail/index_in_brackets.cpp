// parts_are_named_in_parentheses|selected deleted operator '\[\]'
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 3> x;
#ifdef FIXED
  auto y = rc::eval(x(0));
#else
  auto y = rc::eval(x[0]);
#endif
}
