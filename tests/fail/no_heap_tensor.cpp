// heap_memory<80000>
// Without a heap, a tensor of more than 64 KiB does not compile, and the message says how many bytes it would take.
#define RICCI_NO_HEAP
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<float, 100, 100> a;
#else
  rc::tensor<float, 200, 100> a;
#endif
  a(0, 0) = 1;
}
