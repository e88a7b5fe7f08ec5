// A transformer of four layers learns a text, character after character, and writes on in its manner:
//   char_transformer bible.txt
#include "text.hpp"

constexpr int units = 128;

template <class Kind = rc::values>
struct block {
  nn::layer<nn::layer_norm<units>, Kind> before, between;
  nn::layer<nn::multi_head_attention<units, 4>, Kind> attention;
  nn::layer<nn::linear<units, 4 * units>, Kind> up;
  nn::layer<nn::linear<4 * units, units>, Kind> down;
  constexpr auto operator()(auto const& x, auto const& mask) const {
    auto const y = before(x);
    auto const z = x + attention(y, y, mask);
    return z + down(rc::gelu(up(between(z))));
  }
};

// place i sees those up to itself
constexpr auto causal = [] {
  rc::tensor<bool, window, window> m;
  for (int i = 0; i < window; ++i)
    for (int k = 0; k < window; ++k) m(i, k) = k <= i;
  return m;
}();

template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<letters, units>, Kind> in;
  nn::layer<nn::embedding<window, units>, Kind> position;
  std::array<block<Kind>, 4> blocks;
  nn::layer<nn::layer_norm<units>, Kind> last;
  nn::layer<nn::linear<units, letters, false>, Kind> out;
  constexpr auto operator()(auto const& now) const {
    auto x = in(now) + position.w;
    for (auto const& b : blocks) x = b(x, causal);
    return out(last(x));
  }
};

int main(int argc, char** argv) { return learn<net<>>(argc, argv, "nanoGPT has 1.88 on tiny Shakespeare"); }
