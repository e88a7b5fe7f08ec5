// slice: there cannot be fewer than 0 elements
// A length below 0.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 1> x(4);
#ifdef FIXED
  x(rc::slice<1>(2)) = 1.f;
#else
  x(rc::slice<-1>(2)) = 1.f;
#endif
}
