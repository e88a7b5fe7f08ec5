// heap_memory<120000>
// Without a heap, intermediate values of more than 64 KiB do not compile.
#define RICCI_NO_HEAP
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<float, 50, 50> a;
#else
  rc::tensor<float, 100, 100> a;
#endif
  auto f = [](auto x) {
    auto y = rc::matmul(x, x);
    return rc::matmul(rc::exp(y), rc::sin(y));
  };
  a = rc::fn(f)(a);
}
