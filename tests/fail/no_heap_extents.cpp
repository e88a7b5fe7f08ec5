// heap_memory<-1>
// Without a heap, neither does one whose extents are values.
#define RICCI_NO_HEAP
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 100> a;
#ifdef FIXED
  auto b = rc::eval(2.f * a(rc::range<1, 3>()));
#else
  auto b = rc::eval(2.f * a(rc::range(1, 3)));
#endif
  b(0) = 1;
}
