// nn::scaled is the outermost optimiser
// A scale of the loss is there before the loss is derived, so nothing stands before it.
#include <ricci/ricci.hpp>

#include <ricci/nn/linear.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/nn/wrappers.hpp>
namespace nn = ricci::nn;
struct loss {
  constexpr auto operator()(auto const& m, auto state, auto const&, auto const& x) const {
    return std::pair(ricci::mean(ricci::square(m(x))), state);
  }
};
int main() {
  auto const scaled = nn::scaled(nn::sgd{} | nn::constant{.1f});
#ifdef FIXED
  auto const step = nn::step_of<loss{}>(scaled);
#else
  auto const step = nn::step_of<loss{}>(nn::clip{1.f} | scaled);
#endif
  (void)step;
}
