// Normalisation: of layers (J. L. Ba, J. R. Kiros, G. E. Hinton, 2016) along the last axis, of groups, and of batches:
// batch normalisation (S. Ioffe, C. Szegedy, 2015) along all axes but the last, of (batch, ..., N).
#pragma once

#include <ricci/autodiff/custom.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/shape/shape_of.hpp>

namespace ricci::nn {

// x without its mean over these axes, divided by the root of its variance + eps. With y the result and s that root, the
// derivative of a direction t is (t - mean(t) - y mean(t y)) / s, and so is what becomes of a cotangent (S. Ioffe, C.
// Szegedy, 2015, section 3): two sums and one pass, where rules of the parts take several.
template <auto const& Eps, int... Axis>
struct normalised_t {
  static constexpr auto forward = [](auto const& x) {
    auto const d = x - mean(x, axis<Axis...>, keepdims);
    auto const s = sqrt(mean(square(d), axis<Axis...>, keepdims) + Eps);
    auto const y = d / s;
    return std::tuple(eval(y), std::tuple(eval(y), eval(s)));
  };
  static constexpr auto backward = [](auto const& kept, auto const& g) {
    auto const& [y, s] = kept;
    return std::tuple(eval((g - mean(g, axis<Axis...>, keepdims) - y * mean(g * y, axis<Axis...>, keepdims)) / s));
  };
  constexpr auto operator()(auto const& x) const {
    return custom_vjp([](auto const& of) { return std::get<0>(forward(of)); }, forward, backward)(x);
  }
};
template <auto const& Eps, int... Axis>
inline constexpr normalised_t<Eps, Axis...> normalised{};

template <index_t N>
struct layer_norm {
  static constexpr float eps = 1e-5f;
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale, shift;
    static constexpr torch_name torch[] = {{"weight"}, {"bias"}};
    static constexpr keras_name keras{"layer_normalization", {{"vars/0"}, {"vars/1"}}};
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    constexpr auto operator()(auto const& x) const { return normalised<eps, -1>(x) * scale + shift; }
  };
};

// x / sqrt(mean(x^2) + eps), scaled (B. Zhang, R. Sennrich, 2019).
template <index_t N>
struct rms_norm {
  static constexpr float eps = 1e-6f;
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale;
    static constexpr torch_name torch[] = {{"weight"}};
    static constexpr keras_name keras{"rms_normalization", {{"vars/0"}}};
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f)}; }
    constexpr auto operator()(auto const& x) const {
      return x / sqrt(mean(square(x), axis<-1>, keepdims) + eps) * scale;
    }
  };
};

// Mean and variance of each example over all of its places and the channels of a group (Y. Wu, K. He, 2018), of
// (batch, ..., N) with channels last. With one group for each channel it is instance normalisation.
template <index_t Groups, index_t N>
struct group_norm {
  static_assert(Groups > 0 && N % Groups == 0, "nn::group_norm: the groups have equally many channels");
  static constexpr float eps = 1e-5f;
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale, shift;
    static constexpr torch_name torch[] = {{"weight"}, {"bias"}};
    static constexpr keras_name keras{"group_normalization", {{"vars/0"}, {"vars/1"}}};
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    template <class X>
    constexpr auto operator()(X const& x) const {
      static_assert(rank_of<X> >= 2, "nn::group_norm: (batch, ..., channels)");
      auto const g = reshape(x, shape(x.shape(0), -1, Groups, N / Groups));
      return reshape(normalised<eps, 1, 3>(g), shape_of(x)) * scale + shift;
    }
  };
};

// Of (batch, ..., N), channels last: while a model learns, mean and variance of a channel are those over all examples
// and places of the batch, and the running ones move to them by `momentum`, the variance as that of a sample (n - 1);
// in inference they are the running ones.
template <index_t N>
struct batch_norm {
  static constexpr float eps = 1e-5f, momentum = .1f;
  template <class Kind = values>
  struct state {
    field<Kind, float, N> mean, variance;
    static constexpr torch_name torch[] = {{"running_mean"}, {"running_var"}};
    static constexpr keras_name keras{"batch_normalization", {{"vars/2"}, {"vars/3"}}};
    static state init(key const&) { return {zeros<float>(extents<N>{}), full<float>(extents<N>{}, 1.f)}; }
  };
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale, shift;
    static constexpr torch_name torch[] = {{"weight"}, {"bias"}};
    static constexpr keras_name keras{"batch_normalization", {{"vars/0"}, {"vars/1"}}};
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    template <class X, class State, class Mode>
    constexpr auto operator()(X const& x, State& s, Mode const&) const {
      static_assert(rank_of<X> >= 2, "nn::batch_norm: (batch, ..., channels)");
      if constexpr (Mode::is_training) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
          // the same sums as those of `normalised`
          auto const with_axes = ricci::eval(ricci::mean(x, axis<int(I)...>, keepdims));
          auto const m = ricci::eval(reshape(with_axes, shape_of(s.mean)));
          auto const v =
              ricci::eval(reshape(ricci::mean(square(x - with_axes), axis<int(I)...>, keepdims), shape_of(s.mean)));
          auto const n = ricci::eval(zeros_like(v) + (x.shape(int(I)) * ...));
          s.mean = stop_gradient(s.mean + momentum * (m - s.mean));
          s.variance = stop_gradient(s.variance + momentum * (v * n / maximum(n - 1.f, 1.f) - s.variance));
          return ricci::eval(normalised<eps, int(I)...>(x) * scale + shift);
        }
        (std::make_index_sequence<rank_of<X> - 1>{});
      } else {
        return ricci::eval((x - s.mean) / sqrt(s.variance + eps) * scale + shift);
      }
    }
  };
};

}  // namespace ricci::nn
