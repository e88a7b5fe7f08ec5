// nn::groups: a parameter is in no group
// Every parameter has an optimiser, and no pattern is in vain.
#include <ricci/ricci.hpp>

#include <ricci/nn/groups.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
namespace nn = ricci::nn;
int main() {
  nn::layer<nn::linear<2, 3>> m{};
  auto const rate = nn::sgd{} | nn::constant{.1f};
#ifdef FIXED
  auto const o = nn::groups(nn::on<"w">(rate), nn::on<"*">(rate));
#else
  auto const o = nn::groups(nn::on<"w">(rate));
#endif
  auto run = nn::start(m, std::tuple<>{}, o, nn::key{1});
}
