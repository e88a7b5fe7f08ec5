// Shapes put together from others.
#pragma once

#include <ricci/shape/shape_argument.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::random {

template <class A, class B>
constexpr auto graph_of_either([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
  if constexpr (requires { b.g; })
    return b.g;
  else
    return a.g;
}
// A shape with another extent behind it.
template <class... D, class N>
constexpr auto with_extent(shape_argument<D...> const& s, N const& n) {
  shape_argument<D..., N> y{{}, {}};
  for (int k = 0; k < int(sizeof...(D)); ++k) y.values[k] = s.values[k];
  y.values[sizeof...(D)] = shapes::extent_value(n);
  if constexpr (shape_argument<D..., N>::is_symbolic) y.g = graph_of_either(s, n);
  return y;
}
template <class... D, index_t N>
constexpr auto with_extent(shape_argument<D...> const& s, std::integral_constant<index_t, N>) {
  return with_extent(s, N);
}
template <Extent D, std::size_t Rank, class N>
constexpr auto with_extent(std::array<D, Rank> const& s, N const& n) {
  return with_extent(shapes::argument(s), n);
}
template <index_t... E, class N>
constexpr auto with_extent(extents<E...>, N const& n) {
  return shape(E..., n);
}
template <index_t... E, index_t N>
constexpr auto with_extent(extents<E...>, std::integral_constant<index_t, N>) {
  return extents<E..., N>{};
}
// The same, where it is that of the last axis of a tensor.
template <ShapeArgument S, Tensor X>
constexpr auto with_last_extent(S const& s, X const& x) {
  static_assert(rank_of<X> > 0, "parameters of this distribution have one axis or more");
  constexpr int last = rank_of<X> - 1;
  constexpr index_t n = extents_of<X>::value.extent[last];
  if constexpr (n >= 0)
    return with_extent(s, std::integral_constant<index_t, n>{});
  else
    return with_extent(s, x.shape(last));
}

}  // namespace ricci::random
