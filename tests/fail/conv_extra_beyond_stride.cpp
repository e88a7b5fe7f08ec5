// conv_transpose: as in PyTorch `extra` is below the stride or the dilation of its axis
#include <ricci/conv.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2, 2, 3> const z{};
  rc::tensor<double, 3, 3, 2, 3> const w{};
#ifdef FIXED
  constexpr rc::conv_options how{.stride = 2, .extra = 1};
#else
  constexpr rc::conv_options how{.stride = 2, .extra = 5};
#endif
  auto y = rc::eval(rc::conv_transpose<how>(z, w));
}
