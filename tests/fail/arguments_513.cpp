// a function has at most 512 tensors and numbers as its arguments
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
std::array<std::array<rc::tensor<float>, 32>, 16> x{};
#else
std::array<std::array<rc::tensor<float>, 27>, 19> x{};
#endif
int main() {
  rc::tensor<float> y = rc::fn([](auto a) { return a[0][0] + a[15][26]; })(x);
}
