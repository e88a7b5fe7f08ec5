// \(batch, \.\.\., channels\)
// Of one example there are no statistics of a batch.
#include <ricci/ricci.hpp>

#include <ricci/nn/mode.hpp>
#include <ricci/nn/norms.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
int main() {
  nn::batch_norm<4>::params<> layer{};
  nn::batch_norm<4>::state<> running{};
#ifdef FIXED
  rc::tensor<float, 1, 4> const x{};
#else
  rc::tensor<float, 4> const x{};
#endif
  (void)rc::eval(layer(x, running, nn::inference<>{}));
}
