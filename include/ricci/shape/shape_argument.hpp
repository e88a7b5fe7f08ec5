// Shapes as arguments: `rc::extents<2, 3>{}` keeps them in the type, `rc::shape(2, m)` has them as values. Inside a traced
// function a value may also be a symbolic dimension, as `x.shape(0)` is.
#pragma once

#include <ricci/shape/extents.hpp>

namespace ricci {

template <class... D>
struct shape_argument {
  static constexpr int rank = sizeof...(D);
  // the values, in order; symbolic dimensions as the numbers that stand for them
  index_t values[rank > 0 ? rank : 1];
};

namespace shapes {
template <class D>
constexpr index_t extent_value(D const& d) {
  if constexpr (std::is_integral_v<D>) return static_cast<index_t>(d);
  else return d.dim;
}
template <class T>
inline constexpr bool is_shape_argument = false;
template <class... D>
inline constexpr bool is_shape_argument<shape_argument<D...>> = true;
}  // namespace shapes

// A shape whose extents are values; -1 for one that follows from the others.
template <class... D>
constexpr shape_argument<D...> shape(D const&... d) {
  return {{shapes::extent_value(d)...}};
}

template <class T>
concept ShapeArgument = shapes::is_extents<T> || shapes::is_shape_argument<T>;

}  // namespace ricci
