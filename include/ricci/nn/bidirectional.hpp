// A recurrent layer in both directions: the states from the first place on, and beside them, along the last axis, those
// from the last place on (M. Schuster, K. Paliwal, 1997), as PyTorch's `bidirectional=True` has them.
//
//   nn::bidirectional<nn::lstm<8, 16>>::params<> layer{};  // forwards and back, an lstm<8, 16> each
//   auto states = layer(x);                                // (n, places, 8) -> (n, places, 32)
//   auto same = layer(x, mask);                            // as the layers take it
//   nn::recurrent_stack<nn::bidirectional<nn::lstm<8, 16>>, 2>::params<> two{};  // the second of lstm<32, 16>
#pragma once

#include <ricci/nn/recurrent_stack.hpp>
#include <ricci/ops/join.hpp>

namespace ricci::nn {

template <class Layer>
struct bidirectional {
  template <class Kind = values>
  struct params {
    typename Layer::template params<Kind> forwards, back;

    // The state behind the whole sequence is in the first half that at the last place, in the second that at place 0.
    constexpr auto operator()(auto const&... x) const {
      return ricci::eval(ricci::concat(ricci::eval(forwards(x...)), ricci::eval(back.backwards(x...)), axis<2>));
    }
    template <class X>
    constexpr auto carried(X const& x, auto const&...) const {
      static_assert(
          always_false<X>,
          "nn::bidirectional: the way back begins at the last place, so there is nothing to carry on from one "
          "piece of a sequence to the next");
      return std::pair(x, x);
    }
  };
};
template <template <index_t, index_t, class> class Cell, index_t In, index_t H, class T>
struct recurrent_parts<bidirectional<Cell<In, H, T>>> {
  using above = bidirectional<Cell<2 * H, H, T>>;
};

}  // namespace ricci::nn
