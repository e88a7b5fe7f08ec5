// Images of any other size: `rc::resize<32, 48>(x)`, linear between the four nearest pixels (of one, two or three
// axes), and `rc::resize_nearest<32, 48>(x)`, every pixel that of the nearest. Formulas of indices known from extents,
// with derivatives of any order.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci {
namespace convolutions {

// N pixels along an axis; pixels are areas, so that pixel i of the result has its middle at (i + 1/2) n / N - 1/2
template <int Axis, index_t N>
constexpr auto resized_along(auto const& x) {
  using X = std::remove_cvref_t<decltype(x)>;
  using T = value_type_of<X>;
  auto const n = x.shape(Axis);
  auto const middle = ricci::eval((ricci::arange<double>(N, like(x)) + .5) * n / double(N) - .5);
  auto const place = ricci::eval(ricci::maximum(middle, 0.));
  auto const low = ricci::eval(ricci::astype<index_t>(ricci::floor(place)));
  auto const high = ricci::eval(ricci::minimum(low + 1, 0 * low + (n - 1)));
  auto const part = ricci::eval(ricci::astype<T>(place - ricci::floor(place)));
  auto const weight = [&]<int... K>(std::integer_sequence<int, K...>) {
    return ricci::eval(ricci::reshape(part, extents<N, (static_cast<void>(K), index_t(1))...>{}));
  }
  (std::make_integer_sequence<int, rank_of<X> - 1 - Axis>{});
  auto const a = ricci::eval(ricci::take(x, low, axis<Axis>));
  auto const b = ricci::eval(ricci::take(x, high, axis<Axis>));
  return ricci::eval(a + weight * (b - a));
}
template <int Axis, index_t N>
constexpr auto nearest_along(auto const& x) {
  auto const place = ricci::eval(ricci::floor_divide(ricci::arange<index_t>(N, like(x)) * x.shape(Axis), N));
  return ricci::eval(ricci::take(x, place, axis<Axis>));
}
template <bool Linear, int Axis, index_t N, index_t... Rest>
constexpr auto resized(auto const& x) {
  auto const y = [&] {
    if constexpr (Linear)
      return resized_along<Axis, N>(x);
    else
      return nearest_along<Axis, N>(x);
  }();
  if constexpr (sizeof...(Rest) == 0)
    return y;
  else
    return resized<Linear, Axis + 1, Rest...>(y);
}
template <class X, index_t... N>
struct resize_operand {
  static constexpr int axes = int(sizeof...(N));
  static constexpr bool fits = axes >= 1 && axes <= 3 && ((N > 0) && ...) && rank_of<X> > axes;
  static_assert(fits,
                "resize: the extents of one, two or three axes, 1 or more of each, of images (..., height, width, "
                "channels) with as many axes");
};
// A value_error where an axis of images has no pixels; where extents are symbols there is none yet.
template <class X, std::size_t... K>
constexpr void expect_pixels([[maybe_unused]] char const* name, [[maybe_unused]] X const& x, int first,
                             std::index_sequence<K...>) {
  if constexpr (requires { index_t(x.shape(0)); })
    for (index_t const n : {index_t(x.shape(first + int(K)))...})
      if (n == 0) core::raise<value_error>(core::text() << name << ": an axis of the images has no pixels");
}
template <bool Linear, index_t... N, class X>
constexpr auto resize_of(X const& x) {
  if constexpr (resize_operand<X, N...>::fits) {
    expect_pixels(Linear ? "resize" : "resize_nearest", x, rank_of<X> - 1 - int(sizeof...(N)),
                  std::make_index_sequence<sizeof...(N)>{});
    return fn([](auto const& y) {
      constexpr int first = rank_of<std::remove_cvref_t<decltype(y)>> - 1 - int(sizeof...(N));
      return resized<Linear, first, N...>(y);
    })(x);
  }
}

}  // namespace convolutions

// (..., h, w, c) -> (..., N0, N1, c), each axis linear between its nearest two pixels and constant beyond the middle of
// the first and the last one, as in PyTorch with align_corners=False, without antialiasing. Of floating point.
template <index_t... N, Tensor X>
constexpr auto resize(X const& x) {
  static_assert(is_floating(dtype_of<value_type_of<X>>), "resize: of floating point; resize_nearest takes all types");
  return convolutions::resize_of<true, N...>(x);
}
// The same by pixel i n / N, rounded down, as in PyTorch.
template <index_t... N, Tensor X>
constexpr auto resize_nearest(X const& x) {
  return convolutions::resize_of<false, N...>(x);
}

}  // namespace ricci
