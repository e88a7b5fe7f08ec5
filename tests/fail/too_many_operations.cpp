// a_traced_function_has_more_operations_than_RICCI_MAX_OPERATIONS_unroll_its_loops_less
// stops a constant evaluation
#define RICCI_MAX_OPERATIONS 1024
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
constexpr int steps = 300;
#else
constexpr int steps = 1200;
#endif
int main() {
  rc::tensor<float> x;
  auto f = [](auto v) {
    for (int k = 0; k < steps; ++k) v = rc::sin(v);
    return v;
  };
  x = rc::fn(f)(x);
}
