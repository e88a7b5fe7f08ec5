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

// In the body of a loop, a key of its own for each iteration of all loops around it.
template <class Mode>
constexpr auto key_of_iteration(symbol<std::uint64_t, extents<>, Mode> k) {
  if constexpr (requires { k.v.g->outer; }) {  // where loops are interpreted, each iteration is a place of its own
    auto& g = *k.v.g;
    for (int scope = g.scope; scope != 0; scope = g.outer[scope]) {
      auto const number = ir::number<Mode>(g, ir::dim(g, ir::dim_op::iteration, scope, 0), dtype::int64);
      k = random::fold_in(k, symbol<std::int64_t, extents<>, Mode>{number});
    }
  }
  return k;
}
// Children of keys that are the library's own. Programs take children of small numbers, by split, fold and fold_in;
// were these such ones too, a mask of dropout would be numbers that a program draws by itself.
inline constexpr std::uint64_t child_of_steps = 0x8f1d4c3b9a27e605, child_of_places = 0xd36b02f7518ac94e;

// A key for what is random at this place. In a trace it is folded with the number of places before, so that every place
// has its own (the same one where a checkpoint computes it again), and so has every iteration of a loop; outside the
// key is that of the mode.
template <class Mode>
constexpr auto key_of_place(Mode const& mode) {
  if constexpr (is_symbol<std::remove_cvref_t<decltype(mode.key)>>) {
    std::remove_cvref_t<decltype(mode.key)> const own = random::fold_in(mode.key, child_of_places);
    std::remove_cvref_t<decltype(mode.key)> const of_place = random::fold_in(own, mode.key.v.g->place_count++);
    return key_of_iteration(of_place);
  } else {
    return mode.key;
  }
}

}  // namespace ricci::nn
