// Dropout (N. Srivastava et al., 2014): while a model learns, each element is zero with probability `rate`, and the
// others are divided by 1 - rate; in inference x itself. A rate that is not from 0 to 1 is a value_error, of the
// compiler in a trace.
#pragma once

#include <ricci/nn/mode.hpp>
#include <ricci/nn/require.hpp>

namespace ricci::nn {

namespace noise {
// the square root of a positive number, also while compiling
constexpr double root(double x) {
  double r = x < 1 ? 1 : x;
  for (double next = (r + x / r) / 2; next < r; next = (r + x / r) / 2) r = next;
  return r;
}
// of a number for each element of the shape s, which is broadcast to x: zero with probability `rate`, else x / (1 -
// rate)
template <class X, class S, class Mode>
constexpr auto dropped(X const& x, S const& s, float rate, Mode const& mode) {
  using T = value_type_of<X>;
  using number = computed_t<T>;  // there are no uniform numbers of half precision
  auto const stays = random::uniform<number>(key_of_place(mode), s) >= number(rate);
  return where(stays, x * T(rate < 1 ? 1 / (1 - rate) : 0.f), T(0));
}
}  // namespace noise

template <class Mode>
concept ModeOfModel = requires {
  Mode::is_training;
};
template <Tensor X, class... Mode>
requires(!(sizeof...(Mode) == 1 && (ModeOfModel<Mode> && ...))) constexpr X dropout(X const& x, float, Mode const&...) {
  static_assert(!Tensor<X>,
                "nn::dropout(x, rate, mode): the mode is nn::training<>{key} or nn::inference<>{}, which a "
                "loss is given");
  return x;
}
template <Tensor X, ModeOfModel Mode>
constexpr auto dropout(X const& x, float rate, Mode const& mode) {
  require_rate("nn::dropout", double(rate));
  if constexpr (!Mode::is_training)
    return x;
  else
    return noise::dropped(x, shape_of(x), rate, mode);
}

}  // namespace ricci::nn
