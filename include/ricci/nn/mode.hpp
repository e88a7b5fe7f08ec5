// Whether a model learns or is used, as an argument: `nn::training<>{key}` or `nn::inference<>{}`.
#pragma once

#include <ricci/autodiff/places.hpp>
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

// Children of keys that are the library's own. Programs take children of small numbers, by split, fold and fold_in;
// were these such ones too, a mask of dropout would be numbers that a program draws by itself.
inline constexpr std::uint64_t child_of_steps = 0x8f1d4c3b9a27e605, child_of_places = 0xd36b02f7518ac94e,
                               child_of_epochs = 0x3e79a5c81f60b2d7;

// A key for what is random at this place. In a trace every place has its own, as they are counted, and so has every
// iteration of the loops around it. Outside the key is that of the mode.
template <class Mode>
constexpr auto key_of_place(Mode const& mode) {
  using key_type = std::remove_cvref_t<decltype(mode.key)>;
  if constexpr (is_symbol<key_type>) {
    using M = typename key_type::mode;
    auto& g = *mode.key.v.g;
    key_type own = random::fold_in(mode.key, child_of_places);
    own = random::fold_in(own, g.place_count++);
    if (auto const iteration = tracing::iteration_of_place<M>(g))
      own = random::fold_in(own, symbol<std::int64_t, extents<>, M>{iteration});
    return own;
  } else {
    return mode.key;
  }
}

}  // namespace ricci::nn
