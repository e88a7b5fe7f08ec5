// permute_dims.*2, ?3
// A permutation names all axes.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::permute_dims(a, rc::axis<1, 0>));
#else
  auto c = rc::eval(rc::permute_dims(a, rc::axis<1>));
#endif
}
