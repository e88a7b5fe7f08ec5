// Shapes as arguments: `rc::extents<2, 3>{}` keeps them in the type, `rc::shape(2, m)` has them as values, and so has
// the array that `x.shape()` is. Inside a traced function a value may also be a symbolic dimension, as `x.shape(0)` is.
#pragma once

#include <array>
#include <utility>

#include <ricci/shape/extents.hpp>
#include <ricci/shape/shape_values.hpp>

namespace ricci {

namespace shapes {
// the graph that symbolic dimensions among some extents belong to
struct no_graph {};
constexpr no_graph graph_of_dims() { return {}; }
template <class First, class... Rest>
constexpr auto graph_of_dims(First const& first, Rest const&... rest) {
  if constexpr (requires { first.g; })
    return first.g;
  else
    return graph_of_dims(rest...);
}
}  // namespace shapes

template <class... D>
struct shape_argument {
  static constexpr int rank = sizeof...(D);
  // the values, in order; symbolic dimensions as the numbers that stand for them
  index_t values[rank > 0 ? rank : 1];
  using graph = decltype(shapes::graph_of_dims(std::declval<D const&>()...));
  static constexpr bool is_symbolic = !std::is_same_v<graph, shapes::no_graph>;
  [[no_unique_address]] graph g{};
};

// `x.shape() == rc::shape(2, 3)`, also of a tensor of another order
template <std::size_t Rank, class... D>
requires(!shape_argument<D...>::is_symbolic) RICCI_INLINE constexpr bool operator==(std::array<index_t, Rank> const& s,
                                                                                    shape_argument<D...> const& a) {
  bool same = Rank == sizeof...(D);
  for (std::size_t k = 0; same && k < Rank; ++k) same = s[k] == a.values[k];
  return same;
}
// the same of an `any_tensor`
template <class... D>
requires(!shape_argument<D...>::is_symbolic) RICCI_INLINE constexpr bool operator==(shape_t const& s,
                                                                                    shape_argument<D...> const& a) {
  bool same = s.rank == int(sizeof...(D));
  for (int k = 0; same && k < s.rank; ++k) same = s[k] == a.values[k];
  return same;
}

namespace shapes {
inline namespace RICCI_ABI {
RICCI_COLD inline void raise_no_extent(index_t i) {
  core::raise<value_error>(core::text() << i << " is no extent or shift of a tensor");
}
}  // namespace RICCI_ABI
template <class D>
constexpr index_t extent_value(D const& d) {
  if constexpr (std::is_integral_v<D>) {
    index_t const i = to_index(d);
    if (i < -most_index) raise_no_extent(i);
    return i;
  } else {
    return d.dim;
  }
}
template <class T>
inline constexpr bool is_shape_argument = false;
template <class... D>
inline constexpr bool is_shape_argument<shape_argument<D...>> = true;

inline namespace RICCI_ABI {
// as it was asked for: `reshape: (3, 4) (5, -1)`
[[noreturn]] RICCI_COLD inline void raise_open_extent(char const* operation, index_t const* of_x, int rank,
                                                      index_t const* extents, int n) {
  core::raise<shape_error>(((core::text() << operation << ": ").shape(of_x, rank) << ' ').shape(extents, n));
}
}  // namespace RICCI_ABI

// An extent of -1 among n numbers becomes what the others leave of x's elements; no other is negative. Where the others
// are 0 it could be any number, as in NumPy: a shape_error, as where the others leave no whole number or there are
// several.
template <int Rank, class X>
constexpr void fill_in(index_t* extents, int n, X const& x, char const* operation) {
  index_t known = 1, whole = 1, of_x[Rank > 0 ? Rank : 1]{};
  int open = -1, count = 0;
  for (int k = 0; k < n; ++k) {
    if (extents[k] < dyn) core::raise_extents(extents, n);
    if (extents[k] == dyn)
      open = k, ++count;
    else
      known = core::product_of_extents(known, extents[k]);
  }
  if (count == 0) return;
  if (known == 0)
    core::raise<shape_error>((core::text() << operation << ": -1 could be any number in ").shape(extents, n));
  for (int k = 0; k < Rank; ++k) whole = core::product_of_extents(whole, of_x[k] = x.shape(k));
  if (count > 1 || whole % known != 0) raise_open_extent(operation, of_x, Rank, extents, n);
  extents[open] = whole / known;
}
template <class T>
inline constexpr bool is_array_of_extents = false;
template <Extent D, std::size_t N>
inline constexpr bool is_array_of_extents<std::array<D, N>> = true;
template <int Rank>
inline constexpr bool is_array_of_extents<shape_values<Rank>> = true;
}  // namespace shapes

// A shape whose extents are values; -1, for reshape, is one that follows from the others.
template <Extent... D>
constexpr shape_argument<D...> shape(D const&... d) {
  return {{shapes::extent_value(d)...}, shapes::graph_of_dims(d...)};
}

template <class T>
concept ShapeArgument = shapes::is_extents<T> || shapes::is_shape_argument<T> || shapes::is_array_of_extents<T>;

namespace shapes {
// what an argument says, as extents of a type or as rc::shape(...)
template <ShapeArgument S>
constexpr S const& argument(S const& s) {
  return s;
}
template <Extent D, std::size_t N>
constexpr auto argument(std::array<D, N> const& s) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) { return shape(s[K]...); }
  (std::make_index_sequence<N>{});
}
template <int Rank>
constexpr auto argument(shape_values<Rank> const& s) {
  return argument(static_cast<std::array<index_t, std::size_t(Rank)> const&>(s));
}
}  // namespace shapes

}  // namespace ricci
