// a traced function makes tensors of static extents, .* or beside a symbol: rc::arange<T>\(3, rc::like\(x\)\)
// stops a constant evaluation
// What a loop begins with, too; said first, not after all that follows from a function without constant results.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> xs(5, 3);
  auto f = [](auto xs) {
#ifdef FIXED
    auto const start = rc::zeros<double>(rc::shape(3), rc::like(xs));
#else
    auto const start = rc::zeros<double>(rc::shape(3));
#endif
    return rc::fori_loop(
        0, xs.shape(0), [=](auto i, auto s) { return s + xs(i); }, start);
  };
  rc::fn(f)(xs);
}
