// four layers of 128 with four heads, which see what is before, 12 rows of 64 characters
#include <array>

#include "steps.hpp"

namespace {
template <class Kind = rc::values>
struct block {
  nn::layer<nn::layer_norm<128>, Kind> before, between;
  nn::layer<nn::multi_head_attention<128, 4>, Kind> attention;
  nn::layer<nn::linear<128, 512>, Kind> up;
  nn::layer<nn::linear<512, 128>, Kind> down;
  constexpr auto operator()(auto const& x, auto const& mask) const {
    auto const y = before(x);
    auto const z = x + attention(y, y, mask);
    return z + down(rc::gelu(up(between(z))));
  }
};
constexpr auto causal = [] {
  rc::tensor<bool, 64, 64> m;
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 64; ++k) m(i, k) = k <= i;
  return m;
}();
template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<96, 128>, Kind> in;
  nn::layer<nn::embedding<64, 128>, Kind> position;
  std::array<block<Kind>, 4> blocks;
  nn::layer<nn::layer_norm<128>, Kind> last;
  nn::layer<nn::linear<128, 96, false>, Kind> out;
  constexpr auto operator()(auto const& now, auto const&) const {
    auto x = in(now) + position.w;
    for (auto const& b : blocks) x = b(x, causal);
    return out(last(x));
  }
};
}  // namespace

void transformer() {
  auto const key = rc::random::key(1);
  rc::tensor<int, rc::dyn, 64> const x = rc::random::randint<int>(key.fold(0), rc::shape(12, 64), 0, 96);
  time_steps<classified, net<>>("transformer", adam, x, x);
}
