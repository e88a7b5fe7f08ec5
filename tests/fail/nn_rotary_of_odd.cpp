// the last extent is even
// Columns are turned in pairs, and a column is left over.
#include <ricci/ricci.hpp>

#include <ricci/nn/positions.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
int main() {
#ifdef FIXED
  rc::tensor<float, 5, 4> const x{};
#else
  rc::tensor<float, 5, 3> const x{};
#endif
  (void)rc::eval(nn::rotary(x));
}
