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
  if constexpr (!Mode::is_training) {
    return x;
  } else {
    using T = value_type_of<X>;
    auto const keep = random::uniform<T>(key_of_place(mode), shape_of(x)) >= T(rate);
    return where(keep, x * T(1 / (1 - rate)), T(0));
  }
}

}  // namespace ricci::nn
