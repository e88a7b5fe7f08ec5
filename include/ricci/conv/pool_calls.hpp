// The calls behind pooling, of images (d, h, w, c) with channels last, where fewer axes than three are axes of length
// 1. The greatest element of a window is where it is: what is linear in what stands there, and constant in the image,
// is taken from there (`picked`) or brought there (`spread`). Averages are linear, and have their transpose.
#pragma once

#include <limits>

#include <ricci/conv/extents.hpp>
#include <ricci/ops/arithmetic.hpp>

namespace ricci::pooling {

// Elements `first`, `first + step`, ... of an axis, `count` of them.
struct stretch {
  index_t first, count, step;
};
// Windows along one axis of `length` elements, with `results` of them.
struct axis_windows {
  index_t length, results, window, stride, pad, dilation;

  // What the window of result p sees; of adaptive averages (window 0) about equally long parts.
  RICCI_HD constexpr stretch of_result(index_t p) const {
    if (window == 0) {
      index_t const first = p * length / results, last = ((p + 1) * length + results - 1) / results;
      return {first, last - first, 1};
    }
    index_t const start = p * stride - pad;
    index_t const skipped = start < 0 ? (dilation - 1 - start) / dilation : 0;
    index_t const room = length > start ? (length - start + dilation - 1) / dilation : 0;
    index_t const end = room < window ? room : window;
    return {start + skipped * dilation, end > skipped ? end - skipped : 0, dilation};
  }
  // The results whose windows, without dilation, see element y.
  RICCI_HD constexpr stretch of_element(index_t y) const {
    index_t first, end;
    if (window == 0) {
      first = y * results / length, end = ((y + 1) * results - 1) / length + 1;
    } else {
      index_t const before = y + pad - window + 1;
      first = before > 0 ? (before + stride - 1) / stride : 0, end = (y + pad) / stride + 1;
    }
    if (end > results) end = results;
    return {first, end > first ? end - first : 0, 1};
  }
};
// Those of three axes: letters d, h, w at `image`, p, q, r at `result`; attributes in threes, the dilations last.
struct windows {
  axis_windows axis[3];
};
RICCI_HD constexpr windows windows_of(index_t const* image, index_t const* result, index_t const* at,
                                      bool are_dilated) {
  windows w{};
  for (int a = 0; a < 3; ++a)
    w.axis[a] = {image[a], result[a], at[a], at[3 + a], at[6 + a], are_dilated ? at[9 + a] : 1};
  return w;
}
template <class F>
RICCI_HD constexpr void for_results(windows const& w, index_t channels, F const& f) {
  for (index_t p = 0; p < w.axis[0].results; ++p)
    for (index_t q = 0; q < w.axis[1].results; ++q)
      for (index_t r = 0; r < w.axis[2].results; ++r)
        for (index_t c = 0; c < channels; ++c) f(p, q, r, c);
}
template <class F>
RICCI_HD constexpr void for_elements(windows const& w, index_t channels, F const& f) {
  for (index_t z = 0; z < w.axis[0].length; ++z)
    for (index_t y = 0; y < w.axis[1].length; ++y)
      for (index_t x = 0; x < w.axis[2].length; ++x)
        for (index_t c = 0; c < channels; ++c) f(z, y, x, c);
}
// f(z, y, x) for the elements of a window, in row-major order
template <class F>
RICCI_HD constexpr void for_window(stretch const& d, stretch const& h, stretch const& w, F const& f) {
  for (index_t i = 0; i < d.count; ++i)
    for (index_t j = 0; j < h.count; ++j)
      for (index_t k = 0; k < w.count; ++k) f(d.first + i * d.step, h.first + j * h.step, w.first + k * w.step);
}

// Whether x comes before the greatest so far: it is greater, or the first NaN.
template <class T>
RICCI_HD constexpr auto is_greater(T const& x, T const& best) {
  return (best == best) && !(x <= best);
}
struct place {
  index_t z, y, x;  // -1 where the window has no element
};
// where the first greatest element of a window is
template <class X>
RICCI_HD constexpr place greatest(windows const& w, X const& x, index_t p, index_t q, index_t r, index_t c) {
  place at{-1, -1, -1};
  for_window(w.axis[0].of_result(p), w.axis[1].of_result(q), w.axis[2].of_result(r),
             [&](index_t i, index_t j, index_t k) {
               if (at.z < 0 || is_greater(x(i, j, k, c), x(at.z, at.y, at.x, c))) at = {i, j, k};
             });
  return at;
}

template <class Derived>
struct pooling_call : core_call<Derived> {
  static constexpr int attributes = 12;
  // of a core of images (d, h, w, c), by which results are (p, q, r, c)
  static constexpr windows windows_for(index_t const* n, index_t const* at) { return windows_of(n, n + 4, at, true); }
  template <class V, class... X>
  static constexpr V over(shape_t const& result, index_t const* how, V x, X... more) {
    V const operands[] = {x, more...};
    return convolutions::call_over<Derived>(operands, result, how);
  }
};

// (images, what stands there) to results: what stands where the images have their greatest element of each window.
struct picked_t;
// (images, of results) to images: sums of what comes from the windows of which an element is the greatest.
struct spread_t : pooling_call<spread_t> {
  static constexpr auto name = "max_pool_spread";
  static constexpr core_signature core{"(d,h,w,c),(p,q,r,c)->(d,h,w,c)"};
  RICCI_FN run(auto const& c, auto const& x, auto const& ct, auto const& y) {
    using T = std::remove_cvref_t<decltype(*y.p)>;
    windows const w = windows_for(c.extents, c.attributes);
    index_t const channels = c.extents[3];
    for_elements(w, channels, [&](index_t i, index_t j, index_t k, index_t m) { y(i, j, k, m) = T(0); });
    for_results(w, channels, [&](index_t p, index_t q, index_t r, index_t m) {
      place const at = greatest(w, x, p, q, r, m);
      if (at.z >= 0) y(at.z, at.y, at.x, m) = scalar::add(y(at.z, at.y, at.x, m), ct(p, q, r, m));
    });
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    if (!t[1]) return V{};
    V const x = at.operand(0);
    return over(convolutions::core_shape(x, 4), convolutions::manner_of<spread_t>(at).at, x, t[1]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out);
};
struct picked_t : pooling_call<picked_t> {
  static constexpr auto name = "max_pool_picked";
  static constexpr core_signature core{"(d,h,w,c),(d,h,w,c)->(p,q,r,c)"};
  RICCI_FN run(auto const& c, auto const& x, auto const& t, auto const& y) {
    using T = std::remove_cvref_t<decltype(*y.p)>;
    windows const w = windows_for(c.extents, c.attributes);
    for_results(w, c.extents[3], [&](index_t p, index_t q, index_t r, index_t m) {
      place const at = greatest(w, x, p, q, r, m);
      y(p, q, r, m) = at.z < 0 ? T(0) : t(at.z, at.y, at.x, m);
    });
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    if (!t[1]) return V{};
    V const x = at.operand(0);
    return over(convolutions::core_shape(at.y, 4), convolutions::manner_of<picked_t>(at).at, x, t[1]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const x = at.operand(0);
    out[1] = spread_t::over(convolutions::core_shape(x, 4), convolutions::manner_of<picked_t>(at).at, x, ct);
  }
};
template <class V>
constexpr void spread_t::vjp(ir::application<V> const& at, V ct, V* out) {
  V const x = at.operand(0);
  out[1] = picked_t::over(convolutions::core_shape(at.operand(1), 4), convolutions::manner_of<spread_t>(at).at, x, ct);
}

// The greatest element of each window, NaN before all; of a window without elements the least number that there is.
struct max_pool_t : pooling_call<max_pool_t> {
  static constexpr auto name = "max_pool";
  static constexpr core_signature core{"(d,h,w,c)->(p,q,r,c)"};
  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    using T = std::remove_cvref_t<decltype(*y.p)>;
    windows const w = windows_for(c.extents, c.attributes);
    for_results(w, c.extents[3], [&](index_t p, index_t q, index_t r, index_t m) {
      place const at = greatest(w, x, p, q, r, m);
      y(p, q, r, m) = at.z < 0 ? scalar::lowest<T>() : x(at.z, at.y, at.x, m);
    });
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    if (!t[0]) return V{};
    V const x = at.operand(0);
    return picked_t::over(convolutions::core_shape(at.y, 4), convolutions::manner_of<max_pool_t>(at).at, x, t[0]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const x = at.operand(0);
    out[0] = spread_t::over(convolutions::core_shape(x, 4), convolutions::manner_of<max_pool_t>(at).at, x, ct);
  }
};

// Averages of windows, and the transpose. Attribute 9: whether zeros around images count.
template <bool Transposed>
struct avg_pool_t : pooling_call<avg_pool_t<Transposed>> {
  using base = pooling_call<avg_pool_t<Transposed>>;
  static constexpr auto name = Transposed ? "avg_pool_transpose" : "avg_pool";
  static constexpr core_signature core{Transposed ? "(p,q,r,c)->(d,h,w,c)" : "(d,h,w,c)->(p,q,r,c)"};
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  static constexpr windows windows_for(index_t const* n, index_t const* at) {
    return Transposed ? windows_of(n + 4, n, at, false) : windows_of(n, n + 4, at, false);
  }
  // by what a window's sum is divided, along one axis
  static constexpr index_t divisor(axis_windows const& w, index_t p, bool zeros_count) {
    return zeros_count && w.window > 0 ? w.window : w.of_result(p).count;
  }
  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    using T = std::remove_cvref_t<decltype(*y.p)>;
    windows const w = windows_for(c.extents, c.attributes);
    bool const zeros = c.attributes[9] != 0;
    auto const size = [&](index_t p, index_t q, index_t r) {
      return T(divisor(w.axis[0], p, zeros) * divisor(w.axis[1], q, zeros) * divisor(w.axis[2], r, zeros));
    };
    if constexpr (!Transposed)
      for_results(w, c.extents[3], [&](index_t p, index_t q, index_t r, index_t m) {
        T sum(0);
        for_window(w.axis[0].of_result(p), w.axis[1].of_result(q), w.axis[2].of_result(r),
                   [&](index_t i, index_t j, index_t k) { sum = scalar::add(sum, x(i, j, k, m)); });
        y(p, q, r, m) = sum / size(p, q, r);
      });
    else
      for_elements(w, c.extents[3], [&](index_t i, index_t j, index_t k, index_t m) {
        T sum(0);
        for_window(w.axis[0].of_element(i), w.axis[1].of_element(j), w.axis[2].of_element(k),
                   [&](index_t p, index_t q, index_t r) { sum += x(p, q, r, m) / size(p, q, r); });
        y(i, j, k, m) = sum;
      });
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    if (!t[0]) return V{};
    return base::over(convolutions::core_shape(at.y, 4), convolutions::manner_of<avg_pool_t>(at).at, t[0]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = avg_pool_t<!Transposed>::over(convolutions::core_shape(at.operand(0), 4),
                                           convolutions::manner_of<avg_pool_t>(at).at, ct);
  }
};

}  // namespace ricci::pooling
