// a_traced_function_needs_more_kernels_than_fit_with_RICCI_MAX_OPERATIONS
// stops a constant evaluation
// Constants stand in the plan: half as many numbers as there may be operations.
#define RICCI_MAX_OPERATIONS 1024
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
constexpr int n = 400;
#else
constexpr int n = 600;
#endif
constexpr auto table = [] {
  rc::tensor<float, n> t;
  for (int k = 0; k < n; ++k) t(k) = float(k);
  return t;
}();
int main() {
  rc::tensor<float, n> x;
  x = rc::fn([](auto v) { return v * table; })(x);
}
