// the way back begins at the last place
// What a layer that goes both ways hands on from one piece of a sequence to the next would be wrong for its way back.
#include <ricci/ricci.hpp>

#include <ricci/nn/bidirectional.hpp>
#include <ricci/nn/recurrent.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
#ifdef FIXED
using layer_t = nn::lstm<3, 4>;
#else
using layer_t = nn::bidirectional<nn::lstm<3, 4>>;
#endif
int main() {
  layer_t::params<> layer{};
  rc::tensor<float, 1, 2, 3> const x{};
  auto const [first, carry] = layer.carried(x);
  (void)layer.carried(x, carry);
}
