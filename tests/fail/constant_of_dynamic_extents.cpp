// a traced function makes tensors of static extents.*rc::like.x.
// stops a constant evaluation
// Tensors on the heap are no constants of a traced function.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{1, 2, 3, 4};
  rc::fn([](auto x) {
#ifdef FIXED
    return x + rc::arange<double>(4, rc::like(x));
#else
    return x + rc::arange<double>(4);
#endif
  })(x);
}
