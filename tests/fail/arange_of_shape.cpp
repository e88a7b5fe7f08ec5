// arange is called as rc::arange<double>\(stop\)
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto const x = rc::eval(rc::reshape(rc::arange<double>(6), rc::shape(2, 3)));
#else
  auto const x = rc::eval(rc::arange<double>(rc::shape(2, 3)));
#endif
}
