// The three calls behind convolutions. With images x (h, w, c), weights (i, j, c, f) and results z (p, q, f), the sum
//
//   over all p, q, i, j, c, f of  z[p, q, f] x[p s + i d - pad, q s + j d - pad, c] weights[i, j, c, f]
//
// is linear in each of the three. Its derivative by z is the convolution of x with the weights, that by x the
// transposed convolution of z, that by the weights is what gradients of weights are; the derivatives of each of the
// three calls are the two others. Strides s, widths of zeros around x and dilations d are attributes, and so are the
// numbers of slices, where there is a third axis before these.
#pragma once

#include <ricci/conv/extents.hpp>

namespace ricci::convolutions {

enum part : int { of_results, of_images, of_weights };

// Of three axes: slices, rows and columns; images and sequences are one slice.
struct sizes {
  index_t image[3], kernel[3], result[3], channels, features, stride[3], pad[3], dilation[3];
};
// The attributes: strides, widths and dilations, then how many slices images, weights and results have.
inline constexpr int slices_at = 9;
// From the letters of a core signature, by number. The rows of slices lie one behind another in h, i and p, so that
// three axes take no more letters than two.
template <int Part, bool Depthwise = false>
RICCI_HD constexpr sizes sizes_of(index_t const* n, index_t const* at) {
  sizes s{};
  auto const rows = [at](index_t all, int which) {
    index_t const slices = at[slices_at + which];
    return slices > 0 ? all / slices : 0;
  };
  constexpr int third = Depthwise ? 5 : 6, image = Part == of_images ? third : 0,
                kernel = Part == of_weights ? third : 3,
                result = Part == of_results  ? third
                         : Part == of_images ? 0
                                             : 3;
  s.image[0] = at[slices_at], s.image[1] = rows(n[image], 0), s.image[2] = n[image + 1];
  s.kernel[0] = at[slices_at + 1], s.kernel[1] = rows(n[kernel], 1), s.kernel[2] = n[kernel + 1];
  s.result[0] = at[slices_at + 2], s.result[1] = rows(n[result], 2), s.result[2] = n[result + 1];
  s.channels = n[Part == of_images && !Depthwise ? 5 : 2];
  s.features = Depthwise ? 1 : n[Part == of_images ? 2 : 5];
  for (int a = 0; a < 3; ++a) s.stride[a] = at[a], s.pad[a] = at[3 + a], s.dilation[a] = at[6 + a];
  return s;
}

// Depthwise: with a window of its own for each channel, weights (i, j, c) and results (p, q, c).
template <int Part, bool Depthwise = false>
struct sums_t : core_call<sums_t<Part, Depthwise>> {
  static constexpr auto name = Part == of_results ? "conv" : Part == of_images ? "conv_transpose" : "conv_weights";
  static constexpr core_signature core{Depthwise ? (Part == of_results  ? "(h,w,c),(i,j,c)->(p,q,c)"
                                                    : Part == of_images ? "(p,q,c),(i,j,c)->(h,w,c)"
                                                                        : "(h,w,c),(p,q,c)->(i,j,c)")
                                                 : (Part == of_results  ? "(h,w,c),(i,j,c,f)->(p,q,f)"
                                                    : Part == of_images ? "(p,q,f),(i,j,c,f)->(h,w,c)"
                                                                        : "(h,w,c),(p,q,f)->(i,j,c,f)")};
  static constexpr bool takes_complex = true;
  static constexpr int attributes = slices_at + 3;
  static constexpr index_t operations(index_t const* n) {
    constexpr index_t of_one_slice[attributes] = {1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1};
    sizes const s = sizes_of<Part, Depthwise>(n, of_one_slice);
    return 2 * s.result[1] * s.result[2] * s.features * s.channels * s.kernel[1] * s.kernel[2];
  }

  // f(p, q, i, j, image's row, image's column) for all that lies within the image, rows counted over slices
  template <class F>
  RICCI_HD static constexpr void for_all(sizes const& s, F const& f) {
    for (index_t u = 0; u < s.kernel[0]; ++u)
      for (index_t v = 0; v < s.result[0]; ++v) {
        index_t const slice = v * s.stride[0] + u * s.dilation[0] - s.pad[0];
        if (slice < 0 || slice >= s.image[0]) continue;
        for_slice(s, [&](index_t p, index_t q, index_t i, index_t j, index_t y, index_t x) {
          f(v * s.result[1] + p, q, u * s.kernel[1] + i, j, slice * s.image[1] + y, x);
        });
      }
  }
  template <class F>
  RICCI_HD static constexpr void for_slice(sizes const& s, F const& f) {
    for (index_t i = 0; i < s.kernel[1]; ++i)
      for (index_t j = 0; j < s.kernel[2]; ++j)
        for (index_t p = 0; p < s.result[1]; ++p)
          for (index_t q = 0; q < s.result[2]; ++q) {
            index_t const y = p * s.stride[1] + i * s.dilation[1] - s.pad[1],
                          x = q * s.stride[2] + j * s.dilation[2] - s.pad[2];
            if (y >= 0 && y < s.image[1] && x >= 0 && x < s.image[2]) f(p, q, i, j, y, x);
          }
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& b, auto const& r) {
    using T = std::remove_cvref_t<decltype(*r.p)>;
    sizes const s = sizes_of<Part, Depthwise>(c.extents, c.attributes);
    auto const each = [&s](auto const& f) RICCI_INLINE_LAMBDA {
      for (index_t k = 0; k < s.channels; ++k)
        for (index_t m = 0; m < s.features; ++m) f(k, Depthwise ? k : m);
    };
    auto const weight = [](auto const& w, index_t i, index_t j, index_t k, index_t m) RICCI_INLINE_LAMBDA -> auto& {
      if constexpr (Depthwise)
        return w(i, j, k);
      else
        return w(i, j, k, m);
    };
    auto const add = [](T& to, T x, T y) RICCI_INLINE_LAMBDA { to = scalar::add(to, scalar::multiply(x, y)); };
    if constexpr (Part == of_results) {
      for (index_t p = 0; p < s.result[0] * s.result[1]; ++p)
        for (index_t q = 0; q < s.result[2]; ++q) each([&](index_t, index_t m) { r(p, q, m) = T(0); });
      for_all(s, [&](index_t p, index_t q, index_t i, index_t j, index_t y, index_t x) {
        each([&](index_t k, index_t m) { add(r(p, q, m), a(y, x, k), weight(b, i, j, k, m)); });
      });
    } else if constexpr (Part == of_images) {
      for (index_t y = 0; y < s.image[0] * s.image[1]; ++y)
        for (index_t x = 0; x < s.image[2]; ++x)
          for (index_t k = 0; k < s.channels; ++k) r(y, x, k) = T(0);
      for_all(s, [&](index_t p, index_t q, index_t i, index_t j, index_t y, index_t x) {
        each([&](index_t k, index_t m) { add(r(y, x, k), a(p, q, m), weight(b, i, j, k, m)); });
      });
    } else {
      for (index_t i = 0; i < s.kernel[0] * s.kernel[1]; ++i)
        for (index_t j = 0; j < s.kernel[2]; ++j) each([&](index_t k, index_t m) { weight(r, i, j, k, m) = T(0); });
      for_all(s, [&](index_t p, index_t q, index_t i, index_t j, index_t y, index_t x) {
        each([&](index_t k, index_t m) { add(weight(r, i, j, k, m), a(y, x, k), b(p, q, m)); });
      });
    }
  }

  // Of operands of one type; the batches before the cores are broadcast. The core of the result has these extents.
  template <class V>
  static constexpr V over(V a, V b, shape_t const& core_of_result, index_t const* how) {
    V const x[] = {a, b};
    return call_over<sums_t>(x, core_of_result, how);
  }
  using manner = manner_of<sums_t>;
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    manner const how(at);
    shape_t const result = core_shape(at.y, core.rank[2]);
    return ir::sum_of(t[0] ? over(t[0], at.operand(1), result, how.at) : V{},
                      t[1] ? over(at.operand(0), t[1], result, how.at) : V{});
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    manner const how(at);
    V const a = at.operand(0), b = at.operand(1);
    shape_t const of_a = core_shape(a, core.rank[0]), of_b = core_shape(b, core.rank[1]);
    if constexpr (Part == of_results) {
      out[0] = sums_t<of_images, Depthwise>::over(ct, b, of_a, how.at);
      out[1] = sums_t<of_weights, Depthwise>::over(a, ct, of_b, how.at);
    } else if constexpr (Part == of_images) {
      out[0] = sums_t<of_results, Depthwise>::over(ct, b, of_a, how.at);
      out[1] = sums_t<of_weights, Depthwise>::over(ct, a, of_b, how.at);
    } else {
      out[0] = sums_t<of_images, Depthwise>::over(b, ct, of_a, how.at);
      out[1] = sums_t<of_results, Depthwise>::over(a, ct, of_b, how.at);
    }
  }
};

}  // namespace ricci::convolutions
