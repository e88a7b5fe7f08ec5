// A net that tests/nn/freeze.cpp writes as a header of constants, and that tests/nn/frozen.cpp uses.
#pragma once

#include <array>

#include <ricci/ricci.hpp>

#include <ricci/nn/linear.hpp>
#include <ricci/nn/mode.hpp>
#include <ricci/nn/norms.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

namespace small_net {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<3, 4>, Kind> in;
  nn::layer<nn::batch_norm<4>, Kind> bn;
  std::array<nn::layer<nn::linear<4, 4>, Kind>, 2> hidden;
  rc::field<Kind, double> temperature;
  constexpr auto operator()(auto const& x, auto& state, auto const& mode) const {
    auto h = bn(in(x), state.bn, mode);
    for (auto const& l : hidden) h = h + rc::relu(l(h));
    return h * rc::astype<float>(temperature);
  }
};
template <class Kind = rc::values>
struct net_state {
  nn::state<nn::batch_norm<4>, Kind> bn;
};
constexpr auto scores = [](auto const& model, auto state, auto const& x) { return model(x, state, nn::inference<>{}); };
inline constexpr rc::tensor<float, 2, 3> input{{1.5f, -2.f, .25f}, {.1f, .2f, .7f}};

}  // namespace small_net
