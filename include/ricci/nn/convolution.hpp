// Convolutions and pooling as layers, of sequences, images and volumes with channels last; how many axes there are, the
// window says:
//
//   nn::layer<nn::conv<3, 16, rc::window_size{3, 3}, rc::conv_options{.pad = 1}>, Kind> first;
//   nn::layer<nn::max_pool<rc::pool_options{.window = {2, 2}}>, Kind> pool;
//
// Weights begin as He's normal numbers, of variance 2 over the inputs of a sum (K. He, X. Zhang, S. Ren, J. Sun, 2015),
// biases as zero.
#pragma once

#include <ricci/conv/depthwise.hpp>
#include <ricci/conv/functions.hpp>
#include <ricci/conv/pooling.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/random/normal.hpp>

#include <ricci/conv/pool_places.hpp>
#include <ricci/conv/weights.hpp>

namespace ricci::nn {

namespace layers {

// window..., channels, features
template <window_size W, index_t Channels, index_t Features>
constexpr auto weights_extents() {
  if constexpr (W.axes == 1)
    return extents<W.of[0], Channels, Features>{};
  else if constexpr (W.axes == 2)
    return extents<W.of[0], W.of[1], Channels, Features>{};
  else
    return extents<W.of[0], W.of[1], W.of[2], Channels, Features>{};
}
template <class Kind, index_t... E>
field<Kind, float, E...> field_like(extents<E...>);
template <window_size W, index_t Channels, index_t Features, class Kind>
using weights = decltype(field_like<Kind>(weights_extents<W, Channels, Features>()));

// He's normal numbers, each sum of `inputs` products
template <class W>
W he_normal(key const& k, index_t inputs) {
  return random::normal<float>(k, extents_of<W>{}) * float(std::sqrt(2. / double(inputs)));
}
// what Keras calls them
template <int Axes>
inline constexpr char const* keras_conv = Axes == 1   ? "conv1d"
                                          : Axes == 2 ? "conv2d"
                                                      : "conv3d";
template <int Axes>
inline constexpr char const* keras_conv_transpose = Axes == 1   ? "conv1d_transpose"
                                                    : Axes == 2 ? "conv2d_transpose"
                                                                : "conv3d_transpose";
template <window_size W>
constexpr index_t elements() {
  return W.of[0] * W.of[1] * W.of[2];
}

}  // namespace layers

// (..., h, w, In) -> (..., p, q, Out), rc::conv with a bias of each feature.
template <index_t In, index_t Out, window_size Window, conv_options O = conv_options{}, bool Bias = true>
struct conv {
  static_assert(In % O.groups == 0 && Out % O.groups == 0, "nn::conv: groups divide the channels and the features");
  static constexpr index_t inputs = layers::elements<Window>() * (In / O.groups);
  template <class Kind = values>
  struct params {
    layers::weights<Window, In / O.groups, Out, Kind> w;
    field<Kind, float, Out> b;
    static constexpr torch_name torch[] = {{"weight", {.turned = true}}, {"bias"}};
    static constexpr keras_name keras{layers::keras_conv<Window.axes>, {{"vars/0"}, {"vars/1"}}};
    static params init(key const& k) {
      return {layers::he_normal<decltype(w)>(k, inputs), zeros<float>(extents<Out>{})};
    }
    constexpr auto operator()(auto const& x) const { return ricci::conv<O>(x, w) + b; }
  };
};
template <index_t In, index_t Out, window_size Window, conv_options O>
struct conv<In, Out, Window, O, false> {
  static_assert(In % O.groups == 0 && Out % O.groups == 0, "nn::conv: groups divide the channels and the features");
  template <class Kind = values>
  struct params {
    layers::weights<Window, In / O.groups, Out, Kind> w;
    static constexpr torch_name torch[] = {{"weight", {.turned = true}}};
    static constexpr keras_name keras{layers::keras_conv<Window.axes>, {{"vars/0"}}};
    static params init(key const& k) { return {layers::he_normal<decltype(w)>(k, conv<In, Out, Window, O>::inputs)}; }
    constexpr auto operator()(auto const& x) const { return ricci::conv<O>(x, w); }
  };
};

// (..., p, q, In) -> (..., h, w, Out), rc::conv_transpose with a bias of each channel of the result. With a stride,
// each sum covers only the part of the window that meets pixels of the input.
template <index_t In, index_t Out, window_size Window, conv_options O = conv_options{}>
struct conv_transpose {
  static_assert(In % O.groups == 0 && Out % O.groups == 0,
                "nn::conv_transpose: groups divide the channels and the features");
  static constexpr index_t inputs() {
    index_t n = In / O.groups;
    for (int k = 0; k < Window.axes; ++k) n *= (Window.of[k] + O.stride[k] - 1) / O.stride[k];
    return n;
  }
  template <class Kind = values>
  struct params {
    layers::weights<Window, Out / O.groups, In, Kind> w;
    field<Kind, float, Out> b;
    static constexpr torch_name torch[] = {{"weight", {.turned = true}}, {"bias"}};
    static constexpr keras_name keras{layers::keras_conv_transpose<Window.axes>, {{"vars/0"}, {"vars/1"}}};
    static params init(key const& k) {
      return {layers::he_normal<decltype(w)>(k, inputs()), zeros<float>(extents<Out>{})};
    }
    constexpr auto operator()(auto const& x) const { return ricci::conv_transpose<O>(x, w) + b; }
  };
};

// Layers without parameters.
template <pool_options O>
struct max_pool {
  template <class Kind = values>
  struct params {
    constexpr auto operator()(auto const& x) const { return ricci::max_pool<O>(x); }
  };
};
template <pool_options O>
struct avg_pool {
  template <class Kind = values>
  struct params {
    constexpr auto operator()(auto const& x) const { return ricci::avg_pool<O>(x); }
  };
};
template <index_t... N>
struct adaptive_avg_pool {
  template <class Kind = values>
  struct params {
    constexpr auto operator()(auto const& x) const { return ricci::adaptive_avg_pool<N...>(x); }
  };
};

}  // namespace ricci::nn
