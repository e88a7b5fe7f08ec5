// What `x.shape(0)` is inside a traced function: a number that remembers its trace where the type of x knows it, else a
// symbolic dimension. Both make shapes, so that one source serves static and dynamic arguments:
//
//   auto h = rc::zeros<float>(rc::shape(x.shape(0), 16));
//   for (int t = 0; t < 5; ++t) h = rc::tanh(rc::matmul(x(t), w) + rc::matmul(h, u));
#pragma once

#include <ricci/graph/dims.hpp>

namespace ricci {

// The extents of a C++ scalar that became a symbol: it stays weak, that is, it never widens a floating tensor.
struct weak_extents : extents<> {};

template <class T>
inline constexpr bool is_symbolic_dim = false;
template <class T>
inline constexpr bool is_known_extent = false;

// An extent of a traced function that the type knows: a number like any other (it converts to one), which remembers the
// trace that it belongs to, so that `rc::zeros<float>(rc::shape(x.shape(0), 16))` makes a symbol whether x.shape(0) is
// known or not. Arithmetic with integers keeps that; with floating numbers it gives such. Quotients and remainders are
// those of C++; over 0 they are 0 and the dividend.
template <class Mode>
struct known_extent {
  using value_type = index_t;
  using extents = weak_extents;
  using mode = Mode;
  typename Mode::graph* g = nullptr;
  index_t dim = 0;

  constexpr operator index_t() const { return dim; }
  constexpr known_extent& operator+=(index_t x) { return dim += x, *this; }
  constexpr known_extent& operator-=(index_t x) { return dim -= x, *this; }
  constexpr known_extent& operator*=(index_t x) { return dim *= x, *this; }
  constexpr known_extent& operator/=(index_t x) { return dim = core::quotient_of_extents(dim, x), *this; }
  constexpr known_extent& operator%=(index_t x) { return dim = core::remainder_of_extents(dim, x), *this; }
  constexpr known_extent& operator++() { return ++dim, *this; }
  constexpr known_extent& operator--() { return --dim, *this; }
};
template <class Mode>
inline constexpr bool is_known_extent<known_extent<Mode>> = true;

// Integers that an extent can be combined with; an extent that is known is one.
template <class T>
concept Count = std::integral<T> || is_known_extent<T>;

template <class N>
concept BesideExtent = Count<N> || std::is_floating_point_v<N>;
template <class Mode, BesideExtent N>
constexpr auto operator+(known_extent<Mode> a, N b) {
  if constexpr (std::is_floating_point_v<N>)
    return static_cast<N>(a.dim) + b;
  else
    return known_extent<Mode>{a.g, a.dim + static_cast<index_t>(b)};
}
template <class Mode, Arithmetic N>
constexpr auto operator+(N a, known_extent<Mode> b) {
  if constexpr (std::is_floating_point_v<N>)
    return a + static_cast<N>(b.dim);
  else
    return known_extent<Mode>{b.g, static_cast<index_t>(a) + b.dim};
}
template <class Mode, BesideExtent N>
constexpr auto operator-(known_extent<Mode> a, N b) {
  if constexpr (std::is_floating_point_v<N>)
    return static_cast<N>(a.dim) - b;
  else
    return known_extent<Mode>{a.g, a.dim - static_cast<index_t>(b)};
}
template <class Mode, Arithmetic N>
constexpr auto operator-(N a, known_extent<Mode> b) {
  if constexpr (std::is_floating_point_v<N>)
    return a - static_cast<N>(b.dim);
  else
    return known_extent<Mode>{b.g, static_cast<index_t>(a) - b.dim};
}
template <class Mode, BesideExtent N>
constexpr auto operator*(known_extent<Mode> a, N b) {
  if constexpr (std::is_floating_point_v<N>)
    return static_cast<N>(a.dim) * b;
  else
    return known_extent<Mode>{a.g, a.dim * static_cast<index_t>(b)};
}
template <class Mode, Arithmetic N>
constexpr auto operator*(N a, known_extent<Mode> b) {
  if constexpr (std::is_floating_point_v<N>)
    return a * static_cast<N>(b.dim);
  else
    return known_extent<Mode>{b.g, static_cast<index_t>(a) * b.dim};
}
template <class Mode, BesideExtent N>
constexpr auto operator/(known_extent<Mode> a, N b) {
  if constexpr (std::is_floating_point_v<N>)
    return static_cast<N>(a.dim) / b;
  else
    return known_extent<Mode>{a.g, core::quotient_of_extents(a.dim, static_cast<index_t>(b))};
}
template <class Mode, Arithmetic N>
constexpr auto operator/(N a, known_extent<Mode> b) {
  if constexpr (std::is_floating_point_v<N>)
    return a / static_cast<N>(b.dim);
  else
    return known_extent<Mode>{b.g, core::quotient_of_extents(static_cast<index_t>(a), b.dim)};
}
template <class Mode, Count N>
constexpr known_extent<Mode> operator%(known_extent<Mode> a, N b) {
  return {a.g, core::remainder_of_extents(a.dim, static_cast<index_t>(b))};
}
template <class Mode, std::integral N>
constexpr known_extent<Mode> operator%(N a, known_extent<Mode> b) {
  return {b.g, core::remainder_of_extents(static_cast<index_t>(a), b.dim)};
}

// An item of an index: extents that are known are plain integers there.
template <class T>
constexpr decltype(auto) as_index(T const& item) {
  if constexpr (is_known_extent<T>)
    return item.dim;
  else
    return (item);
}

// An extent of a traced function that is only known when it runs: `x.shape(0)`. Arithmetic of these and integers gives
// others, which decide shapes (`rc::shape(n * 2, 3)`); beside tensors and floating numbers it is an integer number that
// adapts to them.
template <class Mode>
struct symbolic_dim {
  using value_type = index_t;
  using extents = weak_extents;
  using mode = Mode;
  typename Mode::graph* g = nullptr;
  index_t dim = 0;

  constexpr symbolic_dim& operator+=(auto b) { return *this = *this + b; }
  constexpr symbolic_dim& operator-=(auto b) { return *this = *this - b; }
  constexpr symbolic_dim& operator*=(auto b) { return *this = *this * b; }
  constexpr symbolic_dim& operator/=(auto b) { return *this = *this / b; }
  constexpr symbolic_dim& operator%=(auto b) { return *this = *this % b; }
  constexpr symbolic_dim& operator++() { return *this = *this + 1; }
  constexpr symbolic_dim& operator--() { return *this = *this - 1; }

  friend constexpr symbolic_dim operator*(symbolic_dim a, symbolic_dim b) {
    return {a.g, ir::times(*a.g, a.dim, b.dim)};
  }
  friend constexpr symbolic_dim operator+(symbolic_dim a, symbolic_dim b) {
    return {a.g, ir::plus(*a.g, a.dim, b.dim)};
  }
  friend constexpr symbolic_dim operator-(symbolic_dim a, symbolic_dim b) { return a + b * -1; }
  friend constexpr symbolic_dim operator/(symbolic_dim a, symbolic_dim b) {
    return {a.g, ir::divide(*a.g, a.dim, b.dim)};
  }
  friend constexpr symbolic_dim operator%(symbolic_dim a, symbolic_dim b) {
    return {a.g, ir::remainder(*a.g, a.dim, b.dim)};
  }
  template <Count I>
  friend constexpr symbolic_dim operator*(symbolic_dim a, I b) {
    return {a.g, ir::times(*a.g, a.dim, static_cast<index_t>(b))};
  }
  template <Count I>
  friend constexpr symbolic_dim operator*(I a, symbolic_dim b) {
    return b * a;
  }
  template <Count I>
  friend constexpr symbolic_dim operator+(symbolic_dim a, I b) {
    return {a.g, ir::plus(*a.g, a.dim, static_cast<index_t>(b))};
  }
  template <Count I>
  friend constexpr symbolic_dim operator+(I a, symbolic_dim b) {
    return b + a;
  }
  template <Count I>
  friend constexpr symbolic_dim operator-(symbolic_dim a, I b) {
    return a + -static_cast<index_t>(b);
  }
  template <Count I>
  friend constexpr symbolic_dim operator-(I a, symbolic_dim b) {
    return b * -1 + a;
  }
  template <Count I>
  friend constexpr symbolic_dim operator/(symbolic_dim a, I b) {
    return {a.g, ir::divide(*a.g, a.dim, static_cast<index_t>(b))};
  }
  template <Count I>
  friend constexpr symbolic_dim operator/(I a, symbolic_dim b) {
    return {b.g, ir::divide(*b.g, static_cast<index_t>(a), b.dim)};
  }
  template <Count I>
  friend constexpr symbolic_dim operator%(symbolic_dim a, I b) {
    return {a.g, ir::remainder(*a.g, a.dim, static_cast<index_t>(b))};
  }
  template <Count I>
  friend constexpr symbolic_dim operator%(I a, symbolic_dim b) {
    return {b.g, ir::remainder(*b.g, static_cast<index_t>(a), b.dim)};
  }
};
template <class Mode>
inline constexpr bool is_symbolic_dim<symbolic_dim<Mode>> = true;

}  // namespace ricci
