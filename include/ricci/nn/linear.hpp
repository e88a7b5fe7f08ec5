// x w + b along the last axis: (..., In) to (..., Out). Weights begin as Glorot's uniform, biases as zero.
#pragma once

#include <ricci/nn/init.hpp>

namespace ricci::nn {

template <index_t In, index_t Out, bool Bias = true>
struct linear {
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Out> w;
    field<Kind, float, Out> b;
    constexpr auto operator()(auto const& x) const { return matmul(x, w) + b; }
  };
};
template <index_t In, index_t Out>
struct linear<In, Out, false> {
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Out> w;
    constexpr auto operator()(auto const& x) const { return matmul(x, w); }
  };
};

}  // namespace ricci::nn
