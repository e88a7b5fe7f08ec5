// an LSTM of 256 units over 64 places, 12 rows of characters
#include "steps.hpp"

namespace {
template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<96, 64>, Kind> in;
  nn::layer<nn::lstm<64, 256>, Kind> memory;
  nn::layer<nn::linear<256, 96>, Kind> out;
  constexpr auto operator()(auto const& x, auto const&) const { return out(memory(in(x))); }
};
}  // namespace

void recurrent() {
  auto const key = rc::random::key(1);
  rc::tensor<int, rc::dyn, 64> const x = rc::random::randint<int>(key.fold(0), rc::shape(12, 64), 0, 96);
  time_steps<classified, net<>>("lstm", adam, x, x);
}
