// an optimiser has one rate, behind adam and its like
// and nothing else
// Adam forgets how large a direction is, and with it the rate.
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
#ifdef FIXED
  auto const o = nn::adam{} | nn::constant{.value = 1e-3f};
#else
  auto const o = nn::constant{.value = 1e-3f} | nn::adam{};
#endif
  (void)nn::step_of<loss>(o);
}
