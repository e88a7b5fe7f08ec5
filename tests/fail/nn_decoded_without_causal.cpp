// piece by piece is causal
// Keys and values of later places do not exist yet where a sequence is read piece by piece.
#include <ricci/ricci.hpp>

#include <ricci/nn/attention.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
#ifdef FIXED
using layer_t = nn::multi_head_attention<4, 2, float, nn::head_options{.causal = true}>;
#else
using layer_t = nn::multi_head_attention<4, 2>;
#endif
int main() {
  layer_t::params<> layer{};
  layer_t::cache<3>::state<> kept{};
  (void)layer.decoded(rc::tensor<float, 1, 1, 4>{}, kept, 0);
}
