// einsum_result_has_a_letter_that_no_operand_has<.*ij, jk -> iz.*'z'
// Subscripts whose result has a letter of its own.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> a(2, 3), b(3, 4);
#ifdef FIXED
  auto c = rc::eval(rc::einsum<"ij, jk -> ik">(a, b));
#else
  auto c = rc::eval(rc::einsum<"ij, jk -> iz">(a, b));
#endif
}
