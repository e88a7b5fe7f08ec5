// Depthwise convolutions on the host: each channel has a window of its own, so that packs of channels are multiplied as
// they lie, and memory is the limit. A row of the result is made at a time, of the rows and columns that its pixels
// meet; threads share rows, of gradients of weights the cores.
#pragma once

#include <ricci/conv/calls.hpp>
#include <ricci/exec/cpu/call.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::convolutions {
inline namespace RICCI_ABI {

// An element of the window, and the row or column of what is read that it meets.
struct meeting {
  index_t at, in_window;
};
template <int Part, class T>
struct depthwise_rows {
  sizes s;

  index_t results(int a) const { return Part == of_images ? s.image[a] : s.result[a]; }
  index_t sources(int a) const { return Part == of_images ? s.result[a] : s.image[a]; }
  index_t rows() const { return results(0) * results(1); }
  index_t bytes() const {
    index_t const columns = results(2) * (s.kernel[2] + 1), window = s.kernel[0] * s.kernel[1];
    return core::bytes_of(columns + window, sizeof(meeting)) + 64;
  }
  // those for element `at` of a result's axis
  index_t meet(int a, index_t at, meeting* to) const {
    index_t n = 0;
    for (index_t i = 0; i < s.kernel[a]; ++i) {
      index_t from =
          Part == of_images ? at + s.pad[a] - i * s.dilation[a] : at * s.stride[a] + i * s.dilation[a] - s.pad[a];
      if (from < 0) continue;
      if (Part == of_images) {
        if (from % s.stride[a] != 0) continue;
        from /= s.stride[a];
      }
      if (from < sources(a)) to[n++] = {from, i};
    }
    return n;
  }
  // for every column: how many, and then those
  void meet_columns(meeting* to) const {
    for (index_t x = 0; x < results(2); ++x, to += s.kernel[2] + 1) to[0] = {meet(2, x, to + 1), 0};
  }
  template <class X, class W, class Y>
  void run_row(X const& x, W const& w, Y const& y, index_t row, meeting const* columns, meeting* rows) const {
    index_t count = 0;
    // slices and rows together: the row of what is read, and of the window
    for (index_t u = 0; u < s.kernel[0]; ++u) {
      index_t const slice = slice_met(row / results(1), u);
      if (slice < 0) continue;
      index_t const first = count;
      count += meet(1, row % results(1), rows + count);
      for (index_t k = first; k < count; ++k) rows[k].at += slice * sources(1), rows[k].in_window += u * s.kernel[1];
    }
    bool const is_dense = s.channels == 1 || (x.stride[2] == 1 && w.stride[2] == 1 && y.stride[2] == 1);
    using P = simd::pack<T>;
    for (index_t q = 0; q < results(2); ++q, columns += s.kernel[2] + 1) {
      index_t k = 0;
      T* const to = y.p + row * y.stride[0] + q * y.stride[1];
      for (; is_dense && k + 4 * P::size <= s.channels; k += 4 * P::size)
        run_pixel<P, 4>(x, w, to + k, k, columns, rows, count);
      for (; is_dense && k + P::size <= s.channels; k += P::size)
        run_pixel<P, 1>(x, w, to + k, k, columns, rows, count);
      for (; k < s.channels; ++k) run_pixel<T, 1>(x, w, to + k * y.stride[2], k, columns, rows, count);
    }
  }
  index_t slice_met(index_t at, index_t u) const {
    index_t const from =
        Part == of_images ? at + s.pad[0] - u * s.dilation[0] : at * s.stride[0] + u * s.dilation[0] - s.pad[0];
    index_t const of = Part == of_images ? from / s.stride[0] : from;
    bool const meets = from >= 0 && (Part != of_images || from % s.stride[0] == 0);
    return meets && of < sources(0) ? of : -1;
  }
  template <class P, int N, class X, class W>
  RICCI_INLINE void run_pixel(X const& x, W const& w, T* to, index_t k, meeting const* columns, meeting const* rows,
                              index_t count) const {
    P sum[N];
    RICCI_UNROLL(4)
    for (int r = 0; r < N; ++r) sum[r] = P(T(0));
    for (index_t i = 0; i < count; ++i) {
      T const* const from = x.p + rows[i].at * x.stride[0] + k * x.stride[2];
      T const* const window = w.p + rows[i].in_window * w.stride[0] + k * w.stride[2];
      for (meeting const* j = columns + 1; j <= columns + columns->at; ++j) {
        T const* const a = from + j->at * x.stride[1];
        T const* const b = window + j->in_window * w.stride[1];
        RICCI_UNROLL(4)
        for (int r = 0; r < N; ++r) sum[r] = multiplied(at<P>(a, r), at<P>(b, r), sum[r]);
      }
    }
    RICCI_UNROLL(4)
    for (int r = 0; r < N; ++r) keep(to, r, sum[r]);
  }
  template <class P>
  RICCI_INLINE static P at(T const* p, int r) {
    if constexpr (std::is_same_v<P, T>)
      return *p;
    else
      return P::load(p + r * P::size);
  }
  RICCI_INLINE static T multiplied(T a, T b, T c) { return a * b + c; }
  RICCI_INLINE static simd::pack<T> multiplied(simd::pack<T> a, simd::pack<T> b, simd::pack<T> c) {
    return simd::fma(a, b, c);
  }
  RICCI_INLINE static void keep(T* to, int, T x) { *to = x; }
  RICCI_INLINE static void keep(T* to, int r, simd::pack<T> x) { x.store(to + r * simd::pack<T>::size); }

  // Gradients of weights: element by element of the window, over all pixels that it meets.
  template <class X, class Z, class W>
  void run_weights(X const& x, Z const& z, W const& w) const {
    bool const is_dense = s.channels == 1 || (x.stride[2] == 1 && z.stride[2] == 1 && w.stride[2] == 1);
    using P = simd::pack<T>;
    for (index_t i = 0; i < s.kernel[0] * s.kernel[1]; ++i)
      for (index_t j = 0; j < s.kernel[2]; ++j) {
        T* const to = w.p + i * w.stride[0] + j * w.stride[1];
        index_t k = 0;
        for (; is_dense && k + 4 * P::size <= s.channels; k += 4 * P::size) run_weight<P, 4>(x, z, to + k, i, j, k);
        for (; is_dense && k + P::size <= s.channels; k += P::size) run_weight<P, 1>(x, z, to + k, i, j, k);
        for (; k < s.channels; ++k) run_weight<T, 1>(x, z, to + k * w.stride[2], i, j, k);
      }
  }
  template <class P, int N, class X, class Z>
  RICCI_INLINE void run_weight(X const& x, Z const& z, T* to, index_t i, index_t j, index_t k) const {
    P sum[N];
    RICCI_UNROLL(4)
    for (int r = 0; r < N; ++r) sum[r] = P(T(0));
    index_t const u = i / s.kernel[1], v = i % s.kernel[1], d = s.stride[2];
    // results of a row whose windows meet pixels there
    index_t const start = j * s.dilation[2] - s.pad[2], room = s.image[2] - start;
    index_t const low = start < 0 ? (-start + d - 1) / d : 0, end = room > 0 ? (room + d - 1) / d : 0;
    index_t const high = end < s.result[2] ? end : s.result[2];
    for (index_t o = 0; o < s.result[0]; ++o) {
      index_t const slice = o * s.stride[0] + u * s.dilation[0] - s.pad[0];
      if (slice < 0 || slice >= s.image[0]) continue;
      for (index_t p = 0; p < s.result[1]; ++p) {
        index_t const row = p * s.stride[1] + v * s.dilation[1] - s.pad[1];
        if (row < 0 || row >= s.image[1]) continue;
        T const* a = x.p + (slice * s.image[1] + row) * x.stride[0] + (low * d + start) * x.stride[1] + k * x.stride[2];
        T const* b = z.p + (o * s.result[1] + p) * z.stride[0] + low * z.stride[1] + k * z.stride[2];
        for (index_t q = low; q < high; ++q, a += d * x.stride[1], b += z.stride[1]) {
          RICCI_UNROLL(4)
          for (int r = 0; r < N; ++r) sum[r] = multiplied(at<P>(a, r), at<P>(b, r), sum[r]);
        }
      }
    }
    RICCI_UNROLL(4)
    for (int r = 0; r < N; ++r) keep(to, r, sum[r]);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::convolutions

namespace ricci::exec {
inline namespace RICCI_ABI {

template <int Part, class T>
requires std::is_floating_point_v<T>
struct host_routine<convolutions::sums_t<Part, true>, T> {
  using op = convolutions::sums_t<Part, true>;
  using loop = core_loop<op, T>;
  using rows = convolutions::depthwise_rows<Part, T>;

  static rows rows_of(geometry const& g) {
    attributes_of_call<op> const attributes(g.scalars);
    return rows{convolutions::sizes_of<Part, true>(g.extent + g.kept, attributes.at)};
  }
  static index_t units_of_core(rows const& r) { return Part == convolutions::of_weights ? 1 : r.rows(); }
  static shared_units units_of(geometry const& g, rows const& r) {
    return {product_of(g, 0, g.kept) * units_of_core(r), r.bytes(), is_alone(g.threads)};
  }
  static index_t memory(geometry const& g) { return units_of(g, rows_of(g)).memory(g); }
  static void run(geometry const& g) {
    rows const r = rows_of(g);
    index_t const each = units_of_core(r);
    units_of(g, r).run(g, [&](index_t from, index_t to, char* own) {
      auto* const columns = reinterpret_cast<convolutions::meeting*>(own);
      auto* const window = columns + r.results(2) * (r.s.kernel[2] + 1);
      if constexpr (Part != convolutions::of_weights) r.meet_columns(columns);
      for (; from < to; ++from) {
        odometer at(g);
        at.seek(g, 0, g.kept, from / each);
        auto const a = loop::template view<0>(g, g.kept, at.p[0]);
        auto const b = loop::template view<1>(g, g.kept, at.p[1]);
        auto const y = loop::template view<2>(g, g.kept, at.p[2]);
        if constexpr (Part == convolutions::of_weights)
          r.run_weights(a, b, y);
        else
          r.run_row(a, b, y, from % each, columns, window);
      }
    });
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
