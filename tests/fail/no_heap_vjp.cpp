// heap_memory<[1-9][0-9]*>
// A pullback keeps what it needs in itself, or on the heap where that is more than 64 KiB; a gradient needs none.
#define RICCI_NO_HEAP
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 10000> x;
  auto f = [](auto v) { return rc::sum(rc::exp(v) * rc::sin(v)); };
#ifdef FIXED
  x = rc::grad(f)(x);
#else
  auto [value, pull] = rc::vjp(f)(x);
  auto [g] = pull(1.f);
  x = g;
#endif
}
