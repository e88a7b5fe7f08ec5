// a traced function joins tensors as operands.*std::vector
// How many tensors a std::vector has is only known when the function runs.
#include <ricci/ricci.hpp>

#include <array>
#include <vector>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> a{1, 2, 3};
#ifdef FIXED
  auto f = [](auto x) { return rc::concat(std::array{x, x}); };
#else
  auto f = [](auto x) { return rc::concat(std::vector{x, x}); };
#endif
  auto c = rc::fn(f)(a);
}
