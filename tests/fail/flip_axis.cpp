// flip.*2, ?3
// An axis to flip along has to exist.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::flip(a, rc::axis<1>));
#else
  auto c = rc::eval(rc::flip(a, rc::axis<2>));
#endif
}
