// bincount takes integers, then the weights
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<int, 1> k(3);
  rc::ndarray<double, 1> w(3);
#ifdef FIXED
  rc::bincount(k, w, rc::shape(4));
#else
  rc::bincount(k, rc::shape(4), rc::weights(w));
#endif
}
