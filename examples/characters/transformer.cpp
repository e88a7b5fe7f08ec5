// A transformer of four layers learns a text, character after character, and writes on in its manner:
//   char_transformer bible.txt
#include "text.hpp"

constexpr int units = 128;
using attention_t = nn::multi_head_attention<units, 4, float, nn::head_options{.causal = true}>;
// keys and values of the characters that were read
using cache = attention_t::cache<window>;

template <class Kind = rc::values>
struct block {
  nn::layer<nn::layer_norm<units>, Kind> before, between;
  nn::layer<attention_t, Kind> attention;
  nn::layer<nn::linear<units, 4 * units>, Kind> up;
  nn::layer<nn::linear<4 * units, units>, Kind> down;
  constexpr auto operator()(auto const& x) const { return behind(x + attention(before(x))); }
  constexpr auto operator()(auto const& x, auto& kept, auto const& place) const {
    return behind(x + attention.decoded(before(x), kept, place));
  }
  constexpr auto behind(auto const& z) const { return z + down(rc::gelu(up(between(z)))); }
};

template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<letters, units>, Kind> in;
  nn::layer<nn::embedding<window, units>, Kind> position;
  std::array<block<Kind>, 4> blocks;
  nn::layer<nn::layer_norm<units>, Kind> last;
  nn::layer<nn::linear<units, letters, false>, Kind> out;
  constexpr auto operator()(auto const& now) const {
    auto x = in(now) + position.w;
    for (auto const& b : blocks) x = b(x);
    return out(last(x));
  }
  // of one character at a place, and those before it
  constexpr auto operator()(auto const& now, auto& kept, auto const& place) const {
    auto x = in(now) + position(place);
    for (std::size_t k = 0; k < blocks.size(); ++k) x = blocks[k](x, kept[k], place);
    return out(last(x));
  }
};

constexpr auto next_scores = [](auto const& model, auto kept, auto const& now, auto const& place) {
  auto const scores = model(now, kept, place);
  return std::pair(scores, kept);
};
// Draws a character after the other, of which each is computed once. After 64 there is no place left: the last half is
// read again, at the first places.
constexpr auto write_on = [](auto const& model, std::string text, int count, nn::key const& key) {
  auto step = rc::prepared(next_scores);
  static std::array<nn::state<cache>, 4> kept;
  rc::tensor<float, 1, 1, letters> scores;
  auto const read = [&](char c, int place) {
    step.into(scores, kept)(model, kept, rc::tensor<int, 1, 1>{{code(c)}}, place);
  };
  int place = 0;
  for (char const c : text) read(c, place++);
  for (int k = 0; k < count; ++k) {
    text += letter(int(rc::random::categorical(key.fold(k), scores(0, 0), rc::shape()).item()));
    if (place == window) {
      place = 0;
      for (std::size_t at = text.size() - window / 2; at < text.size(); ++at) read(text[at], place++);
    } else {
      read(text.back(), place++);
    }
  }
  return text;
};

int main(int argc, char** argv) { return learn<net<>>(argc, argv, "nanoGPT has 1.88 on tiny Shakespeare", write_on); }
