// einsum.*pattern<10>{"ij,ik->jk"}, 'i', 2, 3
// A letter that stands for two extents.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a;
  rc::tensor<float, 3, 4> b;
#ifdef FIXED
  auto c = rc::eval(rc::einsum<"ij,jk->ik">(a, b));
#else
  auto c = rc::eval(rc::einsum<"ij,ik->jk">(a, b));
#endif
}
