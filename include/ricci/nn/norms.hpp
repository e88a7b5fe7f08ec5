// Normalisation: of layers (J. L. Ba, J. R. Kiros, G. E. Hinton, 2016) along the last axis, of groups, and of batches:
// batch normalisation (S. Ioffe, C. Szegedy, 2015) along all axes but the last, of (batch, ..., N). What is of half
// precision is computed in float and rounded at the end. A last axis that is not N long is a shape_error.
#pragma once

#include <ricci/autodiff/custom.hpp>
#include <ricci/nn/channels.hpp>
#include <ricci/nn/half.hpp>
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

struct of_layer_norm {
  static constexpr auto name = "layer_norm";
};
struct of_rms_norm {
  static constexpr auto name = "rms_norm";
};
struct of_group_norm {
  static constexpr auto name = "group_norm";
};
struct of_batch_norm {
  static constexpr auto name = "batch_norm";
};

template <index_t N>
struct layer_norm {
  static constexpr float eps = 1e-5f;
  template <class Kind = values>
  struct params {
    field<Kind, float, N> scale, shift;
    static constexpr torch_name torch[] = {{"weight"}, {"bias"}};
    static constexpr keras_name keras{"layer_normalization", {{"vars/0"}, {"vars/1"}}};
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f), zeros<float>(extents<N>{})}; }
    template <class X>
    constexpr auto operator()(X const& x) const {
      return rounded_to<result_type<value_type_of<X>, value_type_of<decltype(scale)>>>(
          normalised<eps, -1>(in_float(x)) * in_float(channels_of<of_layer_norm>(scale, x)) + in_float(shift));
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
    static constexpr torch_name torch[] = {{"weight"}};
    static constexpr keras_name keras{"rms_normalization", {{"vars/0"}}};
    static params init(key const&) { return {full<float>(extents<N>{}, 1.f)}; }
    template <class X>
    constexpr auto operator()(X const& x) const {
      return rounded_to<result_type<value_type_of<X>, value_type_of<decltype(scale)>>>(
          in_float(x) / sqrt(mean(square(in_float(x)), axis<-1>, keepdims) + eps) *
          in_float(channels_of<of_rms_norm>(scale, x)));
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
      auto const places = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (x.shape(int(I) + 1) * ... * index_t(1));  // reshape cannot find them where there are no examples
      }
      (std::make_index_sequence<rank_of<X> - 2>{});
      auto const g = reshape(in_float(x), shape(x.shape(0), places, Groups, N / Groups));
      return rounded_to<result_type<value_type_of<X>, value_type_of<decltype(scale)>>>(
          reshape(normalised<eps, 1, 3>(g), shape_of(x)) * in_float(channels_of<of_group_norm>(scale, x)) +
          in_float(shift));
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
      using T = result_type<value_type_of<X>, value_type_of<decltype(scale)>>;
      auto const factor = in_float(channels_of<of_batch_norm>(scale, x));
      if constexpr (is_half<value_type_of<X>>) {
        return ricci::eval(rounded_to<T>((*this)(ricci::eval(in_float(x)), s, Mode{})));
      } else if constexpr (Mode::is_training) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
          // the same sums as those of `normalised`
          auto const with_axes = ricci::eval(ricci::mean(x, axis<int(I)...>, keepdims));
          auto const m = ricci::eval(reshape(with_axes, shape_of(s.mean)));
          auto const v =
              ricci::eval(reshape(ricci::mean(square(x - with_axes), axis<int(I)...>, keepdims), shape_of(s.mean)));
          auto const n = ricci::eval(zeros_like(v) + (x.shape(int(I)) * ...));
          auto const moved = [&](auto const& old, auto const& to) {  // not by a batch without examples
            return stop_gradient(where(n > 0.f, old + momentum * (to - old), old));
          };
          s.mean = moved(s.mean, m);
          s.variance = moved(s.variance, v * n / maximum(n - 1.f, 1.f));
          return ricci::eval(rounded_to<T>(normalised<eps, int(I)...>(x) * factor + in_float(shift)));
        }
        (std::make_index_sequence<rank_of<X> - 1>{});
      } else {
        return ricci::eval(rounded_to<T>((x - s.mean) / sqrt(s.variance + eps) * factor + in_float(shift)));
      }
    }
  };
};

}  // namespace ricci::nn
