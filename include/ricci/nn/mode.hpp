// Whether a model learns or is used, as an argument: `nn::training<>{key}` or `nn::inference<>{}`.
#pragma once

#include <ricci/nn/layer.hpp>

namespace ricci::nn {

template <class Kind = values>
struct training {
  static constexpr bool is_training = true;
  field<Kind, std::uint64_t> key;
};
template <class Kind = values>
struct inference {
  static constexpr bool is_training = false;
};

// A key for what is random at this place. In a trace it is folded with the number of keys that were folded before, so
// that every place has its own; outside the key is that of the mode.
template <class Mode>
constexpr auto key_of_place(Mode const& mode) {
  if constexpr (is_symbol<std::remove_cvref_t<decltype(mode.key)>>) {
    auto const& g = *mode.key.v.g;
    int places = 0;
    for (int k = 1; k < g.size; ++k)
      places += g.ins[k].op != nullptr && g.ins[k].op->id == ir::facts_of<random::philox_child_t>()->id;
    return random::fold_in(mode.key, places);
  } else {
    return mode.key;
  }
}

}  // namespace ricci::nn
