// Where a place stands in a sequence, for attention, which by itself sees no order. Places lie along the axis before
// the last, and are counted from 0, or from a first one:
//
//   auto h = x + nn::sinusoidal(x);       // x (..., places, d): (places, d)
//   auto y = nn::rotary(q);               // (..., places, d), queries and keys of every head
//   auto z = nn::rotary(q, first);        // places first, first + 1, ...; a number, or a symbol of a trace
//
// d is even: an odd one is a compile error where it is known to the type, else a shape_error.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/nn/half.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/together.hpp>
#include <ricci/ops/trigonometry.hpp>

namespace ricci::nn {

namespace positions {

template <class T, class N>
constexpr auto number(N const& n) {
  if constexpr (Arithmetic<N>)
    return static_cast<T>(n);
  else
    return astype<T>(n);
}
// (places, d / 2): at place p the angle of pair k is p / base^(2 k / d). Places and angles beside elements of half
// precision, which hold few places, are float.
template <class X>
constexpr auto angles(X const& x, auto const& first, auto const& base) {
  using T = computed_t<value_type_of<X>>;
  auto const half = x.shape(rank_of<X> - 1) / 2;
  auto const place = ricci::eval(ricci::arange<T>(x.shape(rank_of<X> - 2), like(x)) + number<T>(first));
  auto const turn = ricci::eval(ricci::pow(number<T>(base), -ricci::arange<T>(half, like(x)) / half));
  return ricci::eval(place(ricci::all, newaxis) * turn);
}
// Asked for by its number, so that what it says is the first message.
template <class X>
struct operand {
  static constexpr bool is_even =
      rank_of<X> < 1 || !extents_of<X>::is_static || extents_of<X>::extent(rank_of<X> - 1) % 2 == 0;
  static constexpr bool fits = rank_of<X> >= 2 && is_floating(dtype_of<value_type_of<X>>) && is_even;
  static_assert(rank_of<X> >= 2, "nn::sinusoidal and nn::rotary: (..., places, d) is expected");
  static_assert(is_floating(dtype_of<value_type_of<X>>), "nn::sinusoidal and nn::rotary: of floating point");
  static_assert(is_even, "nn::sinusoidal and nn::rotary: the last extent is even");
};

}  // namespace positions

// Sines and cosines of the place in columns 2 k and 2 k + 1, (places, d), which are added to x: of that only type and
// extents count (A. Vaswani et al., Attention is all you need, 2017, section 3.5).
constexpr auto sinusoidal(Tensor auto const& x, auto const& first, double base = 1e4) {
  if constexpr (positions::operand<std::remove_cvref_t<decltype(x)>>::fits)
    return fn([](auto const& y, auto const& begin, auto const& b) {
      constexpr int rank = rank_of<std::remove_cvref_t<decltype(y)>>;
      auto const a = positions::angles(y, begin, b);
      auto const both = ricci::eval(ricci::stack(ricci::sin(a), ricci::cos(a), axis<-1>));
      using T = value_type_of<std::remove_cvref_t<decltype(y)>>;
      return ricci::eval(rounded_to<T>(ricci::reshape(both, shape(y.shape(rank - 2), y.shape(rank - 1)))));
    })(x, first, base);
}
constexpr auto sinusoidal(Tensor auto const& x) { return nn::sinusoidal(x, 0.); }

// Rotary positions (J. Su et al., RoFormer, 2021, section 3.2.2): columns k and k + d / 2, a point in the plane, turned
// by the angle of pair k. So products of queries and keys depend on the distance of their places alone. (The paper
// pairs neighbours: the same with columns in another order.)
constexpr auto rotary(Tensor auto const& x, auto const& first, double base = 1e4) {
  if constexpr (positions::operand<std::remove_cvref_t<decltype(x)>>::fits)
    return fn([](auto const& y, auto const& begin, auto const& b) {
      auto const a = positions::angles(y, begin, b);
      auto const c = ricci::eval(ricci::cos(a)), s = ricci::eval(ricci::sin(a));
      auto const halves = ricci::split<2>(y, axis<-1>);
      auto const u = ricci::eval(std::get<0>(halves)), v = ricci::eval(std::get<1>(halves));
      using T = value_type_of<std::remove_cvref_t<decltype(y)>>;
      return ricci::eval(rounded_to<T>(ricci::concat(u * c - v * s, u * s + v * c, axis<-1>)));
    })(x, first, base);
}
constexpr auto rotary(Tensor auto const& x) { return nn::rotary(x, 0.); }

// The bias of attention by distance (O. Press, N. Smith, M. Lewis, Train short, test long, 2022): -|i - j| 2^(-8 h /
// Heads) for head h, counted from 1, (Heads, places, places); Heads is a power of two. Of x, (..., places, d), only
// type and extents count.
template <index_t Heads>
constexpr auto alibi(Tensor auto const& x) {
  static_assert(Heads > 0 && (Heads & (Heads - 1)) == 0, "nn::alibi: the number of heads is a power of two");
  return fn([](auto const& y) {
    using X = std::remove_cvref_t<decltype(y)>;
    using T = computed_t<value_type_of<X>>;
    auto const place = ricci::eval(ricci::arange<T>(y.shape(rank_of<X> - 2), like(y)));
    auto const head = ricci::eval(ricci::arange<T>(Heads, like(y)) + T(1));
    auto const slope = ricci::eval(ricci::exp2(head * T(-8. / double(Heads))));
    auto const distance = ricci::eval(ricci::abs(place(ricci::all, newaxis) - place));
    return ricci::eval(rounded_to<value_type_of<X>>(-slope(ricci::all, newaxis, newaxis) * distance));
  })(x);
}

}  // namespace ricci::nn
