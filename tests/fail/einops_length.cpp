// einops_axis_needs_a_length<.*a .b c. -> a b c.*, 5, .*"c"
// A pattern that takes an axis apart into two of unknown lengths.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> a(2, 6);
#ifdef FIXED
  auto c = rc::eval(rc::einops::rearrange<"a (b c) -> a b c">(a, rc::length<"c">(3)));
#else
  auto c = rc::eval(rc::einops::rearrange<"a (b c) -> a b c">(a));
#endif
}
