// A long short-term memory learns a text, character after character, and writes on in its manner:
//   char_lstm bible.txt
#include "text.hpp"

template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<letters, 64>, Kind> in;
  nn::layer<nn::lstm<64, 256>, Kind> memory;
  nn::layer<nn::linear<256, letters>, Kind> out;
  constexpr auto operator()(auto const& now) const { return out(memory(in(now))); }
};

int main(int argc, char** argv) { return learn<net<>>(argc, argv, "see docs/learning.md"); }
