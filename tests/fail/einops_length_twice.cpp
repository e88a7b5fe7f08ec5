// einops: two lengths are given of one axis
// Two lengths of one axis.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 1> x(6);
#ifdef FIXED
  auto y = rc::eval(rc::einops::rearrange<"(h p) -> h p">(x, rc::length<"p">(3)));
#else
  auto y = rc::eval(rc::einops::rearrange<"(h p) -> h p">(x, rc::length<"p">(2), rc::length<"p">(3)));
#endif
}
