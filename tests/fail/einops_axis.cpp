// einops_axis_is_lost<.*a b -> a.*, 2, .*"b"
// A pattern that leaves out an axis.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> a(2, 3);
#ifdef FIXED
  auto c = rc::eval(rc::einops::reduce<"a b -> a", rc::sum>(a));
#else
  auto c = rc::eval(rc::einops::rearrange<"a b -> a">(a));
#endif
}
