// one argument at least has a batch
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> x;
#ifdef FIXED
  auto z = rc::vmap([](auto a) { return a * a; })(x);
#else
  auto z = rc::vmap([](auto a) { return a * a; }, rc::in_axes<rc::unbatched>)(x);
#endif
}
