// the loss of nn::step_of is called as loss.model, state, mode, tensors...., with the tensors that stand behind the run
#include <ricci/ricci.hpp>

#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
constexpr auto loss = [](auto const& w, auto const& state, auto const&, auto const& x, auto const& y) {
  return std::pair(rc::sum(rc::square(w * x - y)), state);
};
int main() {
  rc::tensor<float, 3> w, x{1, 2, 3};
  auto const o = nn::sgd{} | nn::constant{.value = 1e-3f};
  auto run = nn::start(w, std::tuple<>{}, o, nn::key(1));
#ifdef FIXED
  nn::step_of<loss>(o)(run, x, x);
#else
  nn::step_of<loss>(o)(run, x);
#endif
}
