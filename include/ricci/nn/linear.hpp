// x w + b along the last axis: (..., In) to (..., Out). Weights begin as Glorot's uniform, biases as zero. Either size
// may be `rc::dyn`: then `nn::init<nn::linear<rc::dyn, rc::dyn>::params<>>(key, in, out)` is told both, or a record of
// such layers has a function of its own:
//
//   static net init(nn::key const& k, rc::index_t width) { return {up_t::init(k.fold(0), 64, width), ...}; }
#pragma once

#include <ricci/nn/init.hpp>

namespace ricci::nn {

template <index_t In, index_t Out, bool Bias = true>
struct linear {
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Out> w;
    field<Kind, float, Out> b;
    static constexpr torch_name torch[] = {{"weight", {.turned = true}}, {"bias"}};
    static constexpr keras_name keras{"dense", {{"vars/0"}, {"vars/1"}}};
    static params init(key const& k, index_t in, index_t out) requires(In == dyn || Out == dyn) {
      params p{};
      init_matrix(p.w, k.fold(0), in, out);
      p.b = zeros<value_type_of<decltype(p.b)>>(shape(out));
      return p;
    }
    constexpr auto operator()(auto const& x) const { return matmul(x, w) + b; }
  };
};
template <index_t In, index_t Out>
struct linear<In, Out, false> {
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Out> w;
    static constexpr torch_name torch[] = {{"weight", {.turned = true}}};
    static constexpr keras_name keras{"dense", {{"vars/0"}}};
    static params init(key const& k, index_t in, index_t out) requires(In == dyn || Out == dyn) {
      params p{};
      init_matrix(p.w, k.fold(0), in, out);
      return p;
    }
    constexpr auto operator()(auto const& x) const { return matmul(x, w); }
  };
};

}  // namespace ricci::nn
