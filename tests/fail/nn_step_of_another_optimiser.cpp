// the run was started with another optimiser than the step has
// and nothing else
#include <ricci/ricci.hpp>

#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
constexpr auto loss = [](auto const& w, auto const& state, auto const&, auto const& x) {
  return std::pair(rc::sum(rc::square(w - x)), state);
};
int main() {
  rc::tensor<float, 3> w, x{1, 2, 3};
  auto const o = nn::sgd{} | nn::constant{.value = 1e-3f};
#ifdef FIXED
  auto run = nn::start(w, std::tuple<>{}, o, nn::key(1));
#else
  auto run = nn::start(w, std::tuple<>{}, nn::adam{} | nn::constant{.value = 1e-3f}, nn::key(1));
#endif
  nn::step_of<loss>(o)(run, x);
}
