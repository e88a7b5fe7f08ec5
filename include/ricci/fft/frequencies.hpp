// Which frequencies the elements of a spectrum stand for, and spectra with frequency 0 in the middle.
#pragma once

#include <ricci/fft/calls.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::fft {

namespace frequencies {

template <class N>
concept Length = std::is_integral_v<N> || shapes::is_extents<N> || requires {
  std::integral_constant<index_t, N::value>{};
};
template <class N>
constexpr auto shape_of(N const& n) {
  if constexpr (shapes::is_extents<N>)
    return storage::shape_of_length(n);
  else
    return extents<N::value>{};
}
// `count(n)` elements, element k of which is value(k, n), a double
template <class T, class N, class Count, class Value>
constexpr auto made(char const* name, N const& length, Count const& count, Value const& value) {
  auto const fill = [&](auto const& shape, index_t n) {
    if (n <= 0) core::raise<value_error>(core::text() << name << ": a length above 0 is expected, not " << n);
    return storage::filled(storage::made<T>(shape, exec::default_context{}),
                           [&](index_t k) { return static_cast<T>(value(k, n)); });
  };
  if constexpr (std::is_integral_v<N>) {
    return fill(shape(count(index_t(length))), index_t(length));
  } else {
    constexpr index_t n = decltype(shape_of(length))::extent(0);
    return fill(extents<Count{}(n)>{}, n);
  }
}

}  // namespace frequencies

// (n,): 0, 1, ..., then the negative ones, -n / 2 or above, ..., -1, over n times the distance of samples. T: the type,
// double where none is named. n may be `rc::known<8>`. A length that is not above 0 is a value_error.
template <Element T = double, frequencies::Length N>
constexpr auto fftfreq(N const& n, double distance = 1) {
  return frequencies::made<T>(
      "fftfreq", n, [](index_t m) { return m; },
      [distance](index_t k, index_t m) {
        return static_cast<double>(k < (m + 1) / 2 ? k : k - m) / (static_cast<double>(m) * distance);
      });
}
// (n / 2 + 1,): those of half a spectrum, 0, 1, ..., n / 2 over n times the distance.
template <Element T = double, frequencies::Length N>
constexpr auto rfftfreq(N const& n, double distance = 1) {
  return frequencies::made<T>(
      "rfftfreq", n, [](index_t m) { return m / 2 + 1; },
      [distance](index_t k, index_t m) { return static_cast<double>(k) / (static_cast<double>(m) * distance); });
}
RICCI_WRONG_CALL(fftfreq,
                 "fft::fftfreq takes the length, an integer, and the distance of samples, a number: "
                 "rc::fft::fftfreq(n, 1. / rate)")
RICCI_WRONG_CALL(rfftfreq,
                 "fft::rfftfreq takes the length, an integer, and the distance of samples, a number: "
                 "rc::fft::rfftfreq(n, 1. / rate)")

// Elements moved by n / 2 places towards the end, so that that of frequency 0 stands in the middle, or back; along all
// axes, or those that are named.
template <class Derived, bool Back>
struct shift_of : formula_of_one<Derived> {
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...> axes = {}) const {
    return formula_of_one<Derived>::call(static_cast<X&&>(x), axes);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    if (a.mask(x.rank) < 0) c.fail();
    return x;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    auto& g = *x.g;
    int const mask = a.axes.count == 0 ? (1 << x.rank()) - 1 : a.mask(x.rank());
    for (int axis = 0; axis < x.rank(); ++axis)
      if (mask >> axis & 1) {
        index_t const half = ir::divide(g, x.shape().extent[axis], 2);
        x = roll_t::along(x, axis, Back ? ir::minus(g, 0, half) : half);
      }
    return x;
  }
};
struct fftshift_t : shift_of<fftshift_t, false> {
  static constexpr auto name = "fftshift";
};
struct ifftshift_t : shift_of<ifftshift_t, true> {
  static constexpr auto name = "ifftshift";
};
inline constexpr fftshift_t fftshift{};
inline constexpr ifftshift_t ifftshift{};

}  // namespace ricci::fft
