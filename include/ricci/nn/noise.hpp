// Noise while a model learns, beside nn::dropout; in inference all of these are x itself. Each place in a model has
// numbers of its own, as there. x is (batch, ...), with channels last. Rates are checked as there; those of
// alpha_dropout and gaussian_dropout are below 1.
#pragma once

#include <ricci/nn/dropout.hpp>
#include <ricci/random/normal.hpp>

namespace ricci::nn {

namespace noise {

// the shape of x, in which axes are 1 long that are not the first, nor the last where it counts
template <bool HasLast, class X>
constexpr auto shape_of_examples(X const& x) {
  constexpr int rank = rank_of<X>;
  using E = extents_of<X>;
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    constexpr auto keeps = [](int k) { return k == 0 || (HasLast && k == rank - 1); };
    if constexpr (E::is_static)
      return extents<(keeps(K) ? E::value.extent[K] : 1)...>{};
    else
      return shape([&] {
        if constexpr (keeps(K))
          return x.shape(K);
        else
          return index_t(1);
      }()...);
  }
  (std::make_integer_sequence<int, rank>{});
}
template <class X>
struct operand {
  static_assert(rank_of<X> >= 2, "noise of whole examples or channels: (batch, ..., channels) is expected");
};

}  // namespace noise

// Whole channels of an example are zero with probability `rate`, the others divided by 1 - rate (J. Tompson and others,
// 2015): (batch, ..., channels).
template <Tensor X, ModeOfModel Mode>
constexpr auto dropout_channels(X const& x, float rate, Mode const& mode) {
  require_rate("nn::dropout_channels", double(rate));
  (void)sizeof(noise::operand<X>);
  if constexpr (!Mode::is_training)
    return x;
  else
    return noise::dropped(x, noise::shape_of_examples<true>(x), rate, mode);
}
// Whole examples are zero with probability `rate`, the others divided by 1 - rate: x + nn::drop_path(f(x), .1f, mode)
// leaves f out for some (stochastic depth, G. Huang and others, 2016).
template <Tensor X, ModeOfModel Mode>
constexpr auto drop_path(X const& x, float rate, Mode const& mode) {
  require_rate("nn::drop_path", double(rate));
  (void)sizeof(noise::operand<X>);
  if constexpr (!Mode::is_training)
    return x;
  else
    return noise::dropped(x, noise::shape_of_examples<false>(x), rate, mode);
}
// Dropout that keeps mean and variance of what comes from selu: elements become the value to which selu falls, and all
// are then scaled and shifted (G. Klambauer and others, 2017).
template <Tensor X, ModeOfModel Mode>
constexpr auto alpha_dropout(X const& x, float rate, Mode const& mode) {
  require_rate_below_1("nn::alpha_dropout", double(rate));
  if constexpr (!Mode::is_training) {
    return x;
  } else {
    using T = value_type_of<X>;
    constexpr double least = -1.7580993408473766;  // -scale alpha of selu
    using number = computed_t<T>;
    auto const keep = random::uniform<number>(key_of_place(mode), shape_of(x)) >= number(rate);
    double const p = double(rate), a = 1 / noise::root((1 - p) * (1 + p * least * least)), b = -a * least * p;
    return where(keep, x, T(least)) * T(a) + T(b);
  }
}
// x with normal numbers of that deviation added.
template <Tensor X, ModeOfModel Mode>
constexpr auto gaussian_noise(X const& x, float deviation, Mode const& mode) {
  using T = value_type_of<X>;
  if constexpr (!Mode::is_training)
    return x;
  else
    return x + T(deviation) * astype<T>(random::normal<computed_t<T>>(key_of_place(mode), shape_of(x)));
}
// x times normal numbers of mean 1 and variance rate / (1 - rate), that of dropout (N. Srivastava and others, 2014,
// section 10).
template <Tensor X, ModeOfModel Mode>
constexpr auto gaussian_dropout(X const& x, float rate, Mode const& mode) {
  require_rate_below_1("nn::gaussian_dropout", double(rate));
  using T = value_type_of<X>;
  if constexpr (!Mode::is_training)
    return x;
  else
    return x * (T(1) + T(noise::root(double(rate / (1 - rate)))) *
                           astype<T>(random::normal<computed_t<T>>(key_of_place(mode), shape_of(x))));
}

}  // namespace ricci::nn
