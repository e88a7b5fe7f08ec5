// bincount takes integers, then the weights
// and nothing else
// Nor is anything said of what is computed with the result.
#include <iostream>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<int, 1> k(3);
  rc::ndarray<double, 1> w(3);
#ifdef FIXED
  auto const sums = rc::bincount(k, w, rc::shape(4));
#else
  auto const sums = rc::bincount(k, rc::shape(4), rc::weights(w));
#endif
  std::cout << rc::eval(2. * sums / rc::bincount(k, rc::shape(4)) - 1.);
}
