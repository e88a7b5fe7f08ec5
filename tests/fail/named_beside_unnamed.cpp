// beside tensors whose axes have names stand others that have
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3, 4> x;
  auto named = rc::named<"a, b">(x);
#ifdef FIXED
  auto sum = named + rc::named<"b">(x(0));
#else
  auto sum = named + x;
#endif
}
