// Pooling: `rc::max_pool`, `rc::avg_pool` and their relatives, of sequences, images and volumes with channels last, as
// convolutions have them:
//
//   (..., h, w, c) -> (..., p, q, c)   p = (h + 2 pad - dilation (window - 1) - 1) / stride + 1, rounded down
//
// Windows have one, two or three axes: `rc::max_pool<2>(x)` is of sequences, `rc::max_pool<2, 2>(x)` of images. Where
// no stride is given it is the window's size. [Goodfellow, Bengio, Courville, Deep Learning, 2016, section 9.3.]
#pragma once

#include <ricci/conv/pool_calls.hpp>
#include <ricci/ops/composite.hpp>
#include <ricci/ops/reshaping.hpp>

namespace ricci {

// The size of a window along one, two or three axes: as many as there are numbers.
struct window_size {
  index_t of[3];
  int axes;
  constexpr window_size(index_t n) : of{n, 1, 1}, axes(1) {}
  constexpr window_size(index_t rows, index_t columns) : of{rows, columns, 1}, axes(2) {}
  constexpr window_size(index_t slices, index_t rows, index_t columns) : of{slices, rows, columns}, axes(3) {}
};
// Whether zeros around images are elements of an average, as in PyTorch unless it is told otherwise, or not.
enum class pool_zeros : unsigned char { unsaid, counted, ignored };

// stride: how far the window moves, 0 for its own size; pad: how far it begins outside of the image, half of its reach
// at most; dilation, of max_pool alone: how far its elements are apart; zeros, of avg_pool with padding alone.
struct pool_options {
  window_size window;
  per_axis stride = 0, pad = 0, dilation = 1;
  pool_zeros zeros = pool_zeros::unsaid;

  constexpr index_t step(int axis) const { return stride[axis] == 0 ? window.of[axis] : stride[axis]; }
  constexpr bool is_valid() const {
    for (int k = 0; k < window.axes; ++k)
      if (window.of[k] < 1 || step(k) < 1 || dilation[k] < 1 || pad[k] < 0 ||
          2 * pad[k] > dilation[k] * (window.of[k] - 1) + 1)
        return false;
    return stride.suffice(window.axes) && pad.suffice(window.axes) && dilation.suffice(window.axes);
  }
  constexpr bool has_padding() const {
    for (int k = 0; k < window.axes; ++k)
      if (pad[k] > 0) return true;
    return false;
  }
  constexpr bool is_dilated() const {
    for (int k = 0; k < window.axes; ++k)
      if (dilation[k] > 1) return true;
    return false;
  }
};

namespace pooling {

// What is done for windows over the last axes before that of channels: Derived says its call, the extent of an axis and
// the attributes of the call.
template <class Derived, class Call, int Axes>
struct pool_of_images : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return Call::operand_type(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t x) {
    if (x.rank < Axes + 1) return c.fail(), x;
    for (int k = 0; k < Axes; ++k) {
      index_t& n = x.extent[x.rank - 1 - Axes + k];
      n = Derived::extent(c, n, k);
    }
    return x;
  }
  // with three axes of images: those that are not there are 1 long
  template <class V>
  static constexpr shape_t in_three_axes(V const& x) {
    shape_t const s = x.shape();
    shape_t r{};
    for (int k = 0; k < s.rank; ++k) {
      if (k == s.rank - 1 - Axes)
        for (int more = Axes; more < 3; ++more) r.push(1);
      r.push(s.extent[k]);
    }
    return r;
  }
  template <class V>
  static constexpr V record(no_attributes, V x) {
    auto& g = *x.g;
    dtype const type = type_of_result(x.type());
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<Derived>(), x.shape_id()};
    shape_t const result = shape_of(c, no_attributes{}, x.shape());
    V const images = ir::reshape(ir::cast(ir::cast(x, type), arithmetic_type(type)), ir::intern(g, in_three_axes(x)));
    shape_t core{};
    for (int k = 0; k < 3; ++k) core.push(k < 3 - Axes ? 1 : result.extent[result.rank - 4 + k]);
    core.push(result.extent[result.rank - 1]);
    index_t how[12]{};
    for (int k = 0; k < 3; ++k) how[k] = how[3 + k] = how[9 + k] = 1;
    Derived::describe(how, 3 - Axes);
    return ir::cast(ir::reshape(Call::over(core, how, images), ir::intern(g, result)), type);
  }
};
template <class Call, pool_options O>
struct pool_by_windows : pool_of_images<pool_by_windows<Call, O>, Call, O.window.axes> {
  static constexpr auto name = Call::name;
  template <class Context>
  static constexpr index_t extent(Context& c, index_t n, int axis) {
    return convolutions::extent_of_windows(c, n, O.window.of[axis], O.step(axis), O.pad[axis], O.dilation[axis]);
  }
  static constexpr void describe(index_t* how, int first) {
    for (int k = 0; k < O.window.axes; ++k)
      how[first + k] = O.window.of[k], how[3 + first + k] = O.step(k), how[6 + first + k] = O.pad[k],
                  how[9 + first + k] = O.dilation[k];
    if constexpr (std::is_same_v<Call, avg_pool_t<false>>)
      how[9] = O.zeros != pool_zeros::ignored, how[10] = how[11] = 0;
  }
};
template <index_t... N>
struct adaptive_average : pool_of_images<adaptive_average<N...>, avg_pool_t<false>, int(sizeof...(N))> {
  static constexpr auto name = "adaptive_avg_pool";
  template <class Context>
  static constexpr index_t extent(Context&, index_t, int axis) {
    constexpr index_t results[] = {N...};
    return results[axis];
  }
  static constexpr void describe(index_t* how, int first) {
    for (int k = 0; k < int(sizeof...(N)); ++k) how[first + k] = 0;
    how[9] = how[10] = how[11] = 0;
  }
};

template <int Axes, class F>
constexpr decltype(auto) along_images(F const& f) {
  static_assert(Axes >= 1 && Axes <= 3, "global pooling is over one, two or three axes before that of channels");
  if constexpr (Axes == 1)
    return f(axis<-2>);
  else if constexpr (Axes == 2)
    return f(axis<-3, -2>);
  else
    return f(axis<-4, -3, -2>);
}

}  // namespace pooling

// The greatest element of each window; padding is none, and NaN is greater than every number. The derivative is that of
// the first element, in row-major order, which is the greatest, as in PyTorch. Of integers, too. A window or stride
// below 1, or padding of more than half a window, is a compile error; too few axes are one, or a shape_error.
template <pool_options O, class X>
requires operands<X> RICCI_INLINE constexpr auto max_pool(X&& x) {
  static_assert(O.is_valid(),
                "max_pool: windows, strides and dilations are 1 or more, padding half of a window's reach at most, and "
                "each one number or one for each axis");
  static_assert(O.zeros == pool_zeros::unsaid, "max_pool: padding is never an element; `zeros` is of avg_pool");
  return call_operation<pooling::pool_by_windows<pooling::max_pool_t, O>>(no_attributes{}, static_cast<X&&>(x));
}
template <index_t... Window, class X>
requires(operands<X> && sizeof...(Window) >= 1 && sizeof...(Window) <= 3) RICCI_INLINE constexpr auto max_pool(X&& x) {
  return max_pool<pool_options{.window = {Window...}}>(static_cast<X&&>(x));
}

// The mean of each window. With padding it is to be said whether its zeros count (`.zeros = rc::pool_zeros::counted`:
// sums are divided by the window's size) or are ignored (by the number of elements inside). Of integers it is double.
template <pool_options O, class X>
requires operands<X> RICCI_INLINE constexpr auto avg_pool(X&& x) {
  static_assert(O.is_valid(),
                "avg_pool: windows and strides are 1 or more, padding half of a window at most, and each one number or "
                "one for each axis");
  static_assert(!O.is_dilated(), "avg_pool: windows have no dilation");
  static_assert(!O.has_padding() || O.zeros != pool_zeros::unsaid,
                "avg_pool: with padding, `zeros` says whether zeros around images count: rc::pool_zeros::counted or "
                "rc::pool_zeros::ignored");
  return call_operation<pooling::pool_by_windows<pooling::avg_pool_t<false>, O>>(no_attributes{}, static_cast<X&&>(x));
}
template <index_t... Window, class X>
requires(operands<X> && sizeof...(Window) >= 1 && sizeof...(Window) <= 3) RICCI_INLINE constexpr auto avg_pool(X&& x) {
  return avg_pool<pool_options{.window = {Window...}}>(static_cast<X&&>(x));
}

// Means of N... parts along each axis: part p is of the elements from p n / N, rounded down, to (p + 1) n / N, rounded
// up, so that neighbours may share elements: (..., h, w, c) -> (..., N..., c), as in PyTorch. NaN of no elements.
template <index_t... N, class X>
requires operands<X> RICCI_INLINE constexpr auto adaptive_avg_pool(X&& x) {
  static_assert(sizeof...(N) >= 1 && sizeof...(N) <= 3 && ((N > 0) && ...),
                "adaptive_avg_pool: results along one, two or three axes, 1 or more of each");
  return call_operation<pooling::adaptive_average<N...>>(no_attributes{}, static_cast<X&&>(x));
}

// The mean, or the greatest element, of each channel over the last `Axes` axes before that of channels: (..., h, w, c)
// -> (..., c). They are rc::mean and rc::max; equal greatest elements share the derivative.
template <int Axes, class X>
requires operands<X> RICCI_INLINE constexpr auto global_avg_pool(X&& x) {
  return pooling::along_images<Axes>([&](auto axes) { return mean(static_cast<X&&>(x), axes); });
}
template <int Axes, class X>
requires operands<X> RICCI_INLINE constexpr auto global_max_pool(X&& x) {
  return pooling::along_images<Axes>([&](auto axes) { return max(static_cast<X&&>(x), axes); });
}

}  // namespace ricci
