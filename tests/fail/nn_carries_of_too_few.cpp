// a carry for each layer
// A stack of two layers goes on from two carries.
#include <ricci/ricci.hpp>

#include <ricci/nn/recurrent_stack.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
int main() {
  nn::recurrent_stack<nn::lstm<3, 4>, 2>::params<> layer{};
  rc::tensor<float, 1, 2, 3> const x{};
  auto const [first, carries] = layer.carried(x);
#ifdef FIXED
  (void)layer.carried(x, carries);
#else
  (void)layer.carried(x, std::make_tuple(std::get<0>(carries)));
#endif
}
