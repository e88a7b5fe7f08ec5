// Dropout (N. Srivastava et al., 2014): while a model learns, each element is zero with probability `rate`, and the
// others are divided by 1 - rate; in inference x itself.
#pragma once

#include <ricci/nn/mode.hpp>

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
  return where(random::uniform<T>(key_of_place(mode), s) >= T(rate), x * T(1 / (1 - rate)), T(0));
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
  if constexpr (!Mode::is_training)
    return x;
  else
    return noise::dropped(x, shape_of(x), rate, mode);
}

}  // namespace ricci::nn
