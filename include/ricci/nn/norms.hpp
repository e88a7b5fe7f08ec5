// Layer normalisation (J. L. Ba, J. R. Kiros, G. E. Hinton, 2016) along the last axis, and batch normalisation (S.
// Ioffe, C. Szegedy, 2015) along the first one, of (batch, N).
#pragma once

#include <ricci/nn/init.hpp>

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
