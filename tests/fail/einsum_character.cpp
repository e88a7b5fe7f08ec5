// einsum_has_a_character_without_meaning<.*ij;jk.*2, ';'
// Subscripts that cannot be read: the place and the character are in the message.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 2> a(2, 3), b(3, 4);
#ifdef FIXED
  auto c = rc::eval(rc::einsum<"ij,jk">(a, b));
#else
  auto c = rc::eval(rc::einsum<"ij;jk">(a, b));
#endif
}
