// Normalisation: of layers (J. L. Ba, J. R. Kiros, G. E. Hinton, 2016) along the last axis, of groups, and of batches:
// batch normalisation (S. Ioffe, C. Szegedy, 2015) along the first one, of (batch, N).
#pragma once

#include <ricci/nn/init.hpp>
#include <ricci/shape/shape_of.hpp>

namespace ricci::nn {

template <index_t N>
struct layer_norm {
  static constexpr float eps = 1e-5f;
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale, shift;
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    constexpr auto operator()(auto const& x) const {
      auto const d = x - mean(x, axis<-1>, keepdims);
      return d / sqrt(mean(square(d), axis<-1>, keepdims) + eps) * scale + shift;
    }
  };
};

// x / sqrt(mean(x^2) + eps), scaled (B. Zhang, R. Sennrich, 2019).
template <index_t N>
struct rms_norm {
  static constexpr float eps = 1e-6f;
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale;
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
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    template <class X>
    constexpr auto operator()(X const& x) const {
      static_assert(rank_of<X> >= 2, "nn::group_norm: (batch, ..., channels)");
      auto const g = reshape(x, shape(x.shape(0), -1, Groups, N / Groups));
      auto const d = g - mean(g, axis<1, 3>, keepdims);
      auto const normal = d / sqrt(mean(square(d), axis<1, 3>, keepdims) + eps);
      return reshape(normal, shape_of(x)) * scale + shift;
    }
  };
};

// While a model learns, mean and variance are the batch's, and the running ones move to them by `momentum`, the
// variance as that of a sample (n - 1); in inference they are the running ones.
template <index_t N>
struct batch_norm {
  static constexpr float eps = 1e-5f, momentum = .1f;
  template <class Kind = values>
  struct state {
    field<Kind, float, N> mean, variance;
    static state init(key const&) { return {zeros<float>(extents<N>{}), full<float>(extents<N>{}, 1.f)}; }
  };
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale, shift;
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    template <class State, class Mode>
    constexpr auto operator()(auto const& x, State& s, Mode const&) const {
      if constexpr (Mode::is_training) {
        auto const m = ricci::mean(x, axis<0>);
        auto const d = x - m;
        auto const v = ricci::mean(square(d), axis<0>);
        auto const n = astype<float>(ricci::sum(zeros_like(x) + 1.f)) / float(N);
        s.mean = stop_gradient(s.mean + momentum * (m - s.mean));
        s.variance = stop_gradient(s.variance + momentum * (v * (n / maximum(n - 1.f, 1.f)) - s.variance));
        return d / sqrt(v + eps) * scale + shift;
      } else {
        return (x - s.mean) / sqrt(s.variance + eps) * scale + shift;
      }
    }
  };
};

}  // namespace ricci::nn
