// nn::clip_per_example: the examples of a batch have nothing in common
// Running statistics of a batch would mix the examples whose gradients are clipped one by one.
#include <ricci/ricci.hpp>

#include <ricci/nn/clip_per_example.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/norms.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
namespace nn = ricci::nn;
struct loss {
  constexpr auto operator()(auto const& m, auto state, auto const&, auto const& x) const {
    return std::pair(ricci::mean(ricci::square(m(x))), state);
  }
};
int main() {
  auto const o = nn::clip_per_example{1.f} | nn::sgd{} | nn::constant{.1f};
  auto const params = nn::linear<2, 3>::params<>{};
#ifdef FIXED
  auto run = nn::start(params, std::tuple<>{}, o, nn::key{1});
#else
  auto run = nn::start(params, nn::batch_norm<3>::state<>{}, o, nn::key{1});
#endif
  (void)nn::step_of<loss{}>(o)(run, ricci::tensor<float, 4, 2>{});
}
