// Convolutions on the host: sums of products in register tiles, of some pixels with two packs of features. Rows of the
// image go into a buffer with zeros around them, a band at a time, so that the innermost loops meet no edge; weights
// go into panels. The transposed convolution is one of as many kinds of pixels as strides leave, each with the part of
// the weights that meets it, so that nothing is multiplied by the zeros between. [Dukhan, The indirect convolution
// algorithm, 2019, has tiles of pixels by their addresses.]
#pragma once

#include <ricci/conv/calls.hpp>
#include <ricci/conv/dots.hpp>
#include <ricci/exec/cpu/call.hpp>
#include <ricci/exec/cpu/microkernel.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::convolutions {
inline namespace RICCI_ABI {

template <class T>
inline constexpr index_t panel_width = exec::columns_of_b<T>::width;
inline constexpr int tile_pixels = exec::micro_rows;

// sums[r][j] = over taps and k < depth of pixels[r][from + k] * panel[row + k][j]
template <class T>
RICCI_NOINLINE void sum_of_taps(T const* const* pixels, tap const* taps, index_t count, index_t depth, T const* panel,
                                T* sums) {
  using P = simd::pack<T>;
  constexpr index_t size = P::size, width = panel_width<T>;
  T const* x[tile_pixels];
  P acc[tile_pixels][2];
  RICCI_UNROLL(16)
  for (int r = 0; r < tile_pixels; ++r) x[r] = pixels[r], acc[r][0] = acc[r][1] = P(T(0));
  for (index_t t = 0; t < count; ++t) {
    index_t const from = taps[t].from;
    T const* b = panel + taps[t].row * width;
    RICCI_UNROLL(1)
    for (index_t k = from; k < from + depth; ++k) {
      P const left = P::load(b), right = P::load(b + size);
      RICCI_UNROLL(16)
      for (int r = 0; r < tile_pixels; ++r) {
        P const a(x[r][k]);
        acc[r][0] = simd::fma(a, left, acc[r][0]);
        acc[r][1] = simd::fma(a, right, acc[r][1]);
      }
      b += width;
    }
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < tile_pixels; ++r) acc[r][0].store(sums + r * width), acc[r][1].store(sums + r * width + size);
}
// sums[r][j] = over rows and k < columns of x[row * x_row + k * step + r] * panel[row * columns + k][j]
template <class T>
RICCI_NOINLINE void sum_of_pixels(T const* x, index_t x_row, index_t step, T const* panel, index_t rows,
                                  index_t columns, T* sums) {
  using P = simd::pack<T>;
  constexpr index_t size = P::size, width = panel_width<T>;
  P acc[tile_pixels][2];
  RICCI_UNROLL(16)
  for (int r = 0; r < tile_pixels; ++r) acc[r][0] = acc[r][1] = P(T(0));
  for (index_t row = 0; row < rows; ++row) {
    T const* a = x + row * x_row;
    RICCI_UNROLL(1)
    for (index_t k = 0; k < columns; ++k) {
      P const left = P::load(panel), right = P::load(panel + size);
      RICCI_UNROLL(16)
      for (int r = 0; r < tile_pixels; ++r) {
        P const of_a(a[r]);
        acc[r][0] = simd::fma(of_a, left, acc[r][0]);
        acc[r][1] = simd::fma(of_a, right, acc[r][1]);
      }
      a += step;
      panel += width;
    }
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < tile_pixels; ++r) acc[r][0].store(sums + r * width), acc[r][1].store(sums + r * width + size);
}

template <class T>
constexpr index_t panels(index_t n) {
  return (n + panel_width<T> - 1) / panel_width<T>;
}
// n numbers `step` apart to the rows of panels, of which each has `rows`; zeros behind the last
template <class T>
RICCI_INLINE void copy_to_panels(T* to, index_t rows, T const* from, index_t step, index_t n) {
  constexpr index_t width = panel_width<T>;
  for (index_t first = 0; first < n; first += width, to += rows * width) {
    index_t const m = n - first < width ? n - first : width;
    if (step == 1 && m == width) {
      for (index_t k = 0; k < width; ++k) to[k] = from[first + k];
      continue;
    }
    for (index_t k = 0; k < m; ++k) to[k] = from[(first + k) * step];
    for (index_t k = m; k < width; ++k) to[k] = T(0);
  }
}

RICCI_HD constexpr index_t floor_of(index_t a, index_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

// The buffer: rows [low, low + rows) and columns [left, left + columns) of what is read, zeros where that is nothing.
template <class T>
struct padded {
  T* p;
  index_t low, left, rows, columns, depth;

  index_t row() const { return columns * depth; }
  // of tiles that go past the end, numbers are read that no result is made of
  template <class View>
  void fill(View const& x, index_t height, index_t width) const {
    index_t const end = left + columns < width ? left + columns : width, begin = left > 0 ? left : 0;
    T* to = p;
    for (index_t y = low; y < low + rows; ++y, to += row()) {
      if (y < 0 || y >= height || begin >= end) {
        for (index_t k = 0; k < row(); ++k) to[k] = T(0);
        continue;
      }
      T* q = to;
      for (; q < to + (begin - left) * depth; ++q) *q = T(0);
      auto const* from = x.p + y * x.stride[0] + begin * x.stride[1];
      index_t const step = x.stride[2];
      if (step == 1 && x.stride[1] == depth) {
        index_t const n = (end - begin) * depth;
        for (index_t k = 0; k < n; ++k) q[k] = from[k];
        q += n;
      } else {
        for (index_t column = begin; column < end; ++column, from += x.stride[1], q += depth)
          for (index_t k = 0; k < depth; ++k) q[k] = from[k * step];
      }
      for (; q < to + row(); ++q) *q = T(0);
    }
    for (int k = 0; k < tile_pixels; ++k) to[k] = T(0);
  }
};

// How far windows reach in what is read of it, for results [from, to) along an axis.
struct interval_of_rows {
  index_t low, count;
};
template <int Part>
constexpr interval_of_rows rows_read(sizes const& s, int axis, index_t from, index_t to) {
  index_t const reach = (s.kernel[axis] > 0 ? s.kernel[axis] - 1 : 0) * s.dilation[axis], d = s.stride[axis];
  if (Part != of_images) return {from * d - s.pad[axis], (to - 1 - from) * d + reach + 1};
  index_t const last = (to - 1 + s.pad[axis]) / d, first = (from + s.pad[axis]) / d;
  index_t const back = (reach + d - 1) / d;
  return {first - back, last - first + back + 1};
}

// rows of results in a band: as many as keep the buffer within the second-level cache
template <int Part, class T>
constexpr index_t rows_of_band(sizes const& s) {
  index_t const height = Part == of_images ? s.image[1] : s.result[1],
                width = Part == of_images ? s.image[2] : s.result[2],
                depth = Part == of_images ? s.features : s.channels;
  if (height == 0 || width == 0) return 1;
  index_t const slices = Part != of_weights && s.kernel[0] > 1 ? s.kernel[0] : 1;
  index_t const row = rows_read<Part>(s, 2, 0, width).count * depth * slices * index_t(sizeof(T)) *
                      (Part == of_images ? 1 : s.stride[1]);
  index_t const some = 256 * 1024 / (row > 0 ? row : 1), least = some > 4 ? some : 4;
  return least < height ? least : height;
}

// of results and of images
template <int Part, class T>
struct tiles_of_pixels {
  static constexpr index_t width = panel_width<T>;
  sizes s;
  index_t slices, height, columns, depth, outputs, band;
  bool along_row;  // weights of a row of the window are read side by side
  bool few;        // outputs: sums are dot products

  tiles_of_pixels(sizes const& of)
      : s(of),
        slices(Part == of_images ? s.image[0] : s.result[0]),
        height(Part == of_images ? s.image[1] : s.result[1]),
        columns(Part == of_images ? s.image[2] : s.result[2]),
        depth(Part == of_images ? s.features : s.channels),
        outputs(Part == of_images ? s.channels : s.features),
        band(rows_of_band<Part, T>(s)),
        along_row(Part == of_results && s.dilation[2] == 1),
        few(outputs > 0 && outputs <= most_dots && together() > 0 && together() % simd::pack<T>::size == 0) {}

  // numbers that lie side by side in what is read and in weights
  index_t together() const { return along_row ? depth * s.kernel[2] : depth; }

  index_t bands_of_slice() const { return outputs == 0 || columns == 0 ? 0 : (height + band - 1) / band; }
  index_t bands() const { return slices * bands_of_slice(); }
  index_t rows_of_weights() const { return s.kernel[0] * s.kernel[1] * s.kernel[2] * depth; }
  index_t weights_size() const { return panels<T>(outputs) * rows_of_weights() * width; }
  index_t buffer_size() const {
    index_t most = 0;  // bands of images begin anywhere between strides
    if (height > 0 && columns > 0)
      most = s.kernel[0] * (rows_read<Part>(s, 1, 0, band).count + 1) * rows_read<Part>(s, 2, 0, columns).count * depth;
    return (most + tile_pixels + 31) / 32 * 32;
  }
  index_t bytes() const {
    return core::bytes_of(weights_size() + buffer_size(), sizeof(T)) +
           core::bytes_of(s.kernel[0] * s.kernel[1] * s.kernel[2] + 1, sizeof(tap));
  }
  template <class W>
  void pack(W const& w, T* to) const {
    T* const first = to;
    index_t row = 0;
    for (index_t i = 0; i < s.kernel[0] * s.kernel[1]; ++i)
      for (index_t j = 0; j < s.kernel[2]; ++j)
        for (index_t k = 0; k < depth; ++k, to += width) {
          T const* from = w.p + i * w.stride[0] + j * w.stride[1];
          if (few) {
            index_t const step = w.stride[Part == of_images ? 2 : 3];
            from += k * w.stride[Part == of_images ? 3 : 2];
            for (index_t m = 0; m < outputs; ++m) first[m * rows_of_weights() + row] = from[m * step];
            ++row;
          } else if constexpr (Part == of_images)
            copy_to_panels(to, rows_of_weights(), from + k * w.stride[3], w.stride[2], outputs);
          else
            copy_to_panels(to, rows_of_weights(), from + k * w.stride[2], w.stride[3], outputs);
        }
  }
  // The slice of what is read that slice `i` of the window meets for slice `at` of the result; -1 where there is none.
  index_t slice_read(index_t at, index_t i) const {
    index_t const from =
        Part == of_images ? at + s.pad[0] - i * s.dilation[0] : at * s.stride[0] + i * s.dilation[0] - s.pad[0];
    index_t const of = Part == of_images ? from / s.stride[0] : from;
    bool const meets = from >= 0 && (Part != of_images || from % s.stride[0] == 0);
    return meets && of < (Part == of_images ? s.result[0] : s.image[0]) ? of : -1;
  }
  // those of the window that meet pixels of one kind in slice `at`
  index_t taps_of(index_t at, index_t const* kind, padded<T> const& x, tap* taps) const {
    index_t n = 0, slice = 0;
    auto const offset = [&](int axis, index_t i) RICCI_INLINE_LAMBDA {
      return Part == of_images ? floor_of(kind[axis] - i * s.dilation[axis], s.stride[axis]) : i * s.dilation[axis];
    };
    auto const meets = [&](int axis, index_t i) RICCI_INLINE_LAMBDA {
      return Part != of_images || (kind[axis] - i * s.dilation[axis]) % s.stride[axis] == 0;
    };
    for (index_t u = 0; u < s.kernel[0]; ++u) {
      if (slice_read(at, u) < 0) continue;
      for (index_t i = 0; i < s.kernel[1]; ++i)
        for (index_t j = 0; j < (along_row && s.kernel[2] > 0 ? 1 : s.kernel[2]); ++j)
          if (meets(1, i) && meets(2, j))
            taps[n++] = {slice + offset(1, i) * x.row() + offset(2, j) * depth,
                         ((u * s.kernel[1] + i) * s.kernel[2] + j) * depth};
      slice += x.rows * x.row();
    }
    return n;
  }
  // rows [from, to) of slice `at` of the result
  template <class X, class Y>
  void run(X const& x, T const* weights, T* buffer, tap* taps, Y y, index_t at, index_t from, index_t to) const {
    interval_of_rows const rows = rows_read<Part>(s, 1, from, to), wide = rows_read<Part>(s, 2, 0, columns);
    padded<T> const read{buffer, rows.low, wide.low, rows.count, wide.count, depth};
    index_t const* const extent = Part == of_images ? s.result : s.image;
    padded<T> slice = read;
    for (index_t u = 0; u < s.kernel[0]; ++u)
      if (index_t const of = slice_read(at, u); of >= 0) {
        X here = x;
        here.p += of * extent[1] * x.stride[0];
        slice.fill(here, extent[1], extent[2]);
        slice.p += read.rows * read.row();
      }
    y.p += at * height * y.stride[0];
    index_t const step[] = {1, Part == of_images ? s.stride[1] : 1, Part == of_images ? s.stride[2] : 1};
    index_t kind[3]{};
    for (kind[1] = 0; kind[1] < step[1]; ++kind[1])
      for (kind[2] = 0; kind[2] < step[2]; ++kind[2]) {
        index_t const count = taps_of(at, kind, read, taps);
        for (index_t first = 0; first < outputs; first += width)
          run_kind(kind, step, read, taps, count, weights + first * rows_of_weights(), y, first, from, to);
      }
  }
  template <class Y>
  void run_kind(index_t const* kind, index_t const* step, padded<T> const& read, tap const* taps, index_t count,
                T const* panel, Y const& y, index_t first, index_t from, index_t to) const {
    index_t const n = together();
    T const* pixels[tile_pixels];
    T* results[tile_pixels];
    int pending = 0;
    auto const finish = [&]() RICCI_INLINE_LAMBDA {
      alignas(64) T sums[tile_pixels * width];
      for (int r = pending; r < tile_pixels; ++r) pixels[r] = pixels[0];
      if (few)
        dots_of_some(outputs, pixels, taps, count, n, panel, rows_of_weights(), sums, width);
      else
        sum_of_taps(pixels, taps, count, n, panel, sums);
      index_t const features = outputs - first < width ? outputs - first : width, apart = y.stride[2];
      for (int r = 0; r < pending; ++r) {
        if (apart == 1 && features == width)
          for (index_t k = 0; k < width; ++k) results[r][k] = sums[r * width + k];
        else
          for (index_t k = 0; k < features; ++k) results[r][k * apart] = sums[r * width + k];
      }
      pending = 0;
    };
    // the first of this kind
    auto const first_of = [&](int axis, index_t at) RICCI_INLINE_LAMBDA {
      index_t const past = Part == of_images ? (at + s.pad[axis]) % step[axis] : 0;
      return at + (kind[axis] - past + step[axis]) % step[axis];
    };
    auto const place = [&](int axis, index_t at) RICCI_INLINE_LAMBDA {
      if (Part == of_images) return (at + s.pad[axis]) / s.stride[axis] - (axis == 1 ? read.low : read.left);
      return at * s.stride[axis] - s.pad[axis] - (axis == 1 ? read.low : read.left);
    };
    for (index_t row = first_of(1, from); row < to; row += step[1])
      for (index_t column = first_of(2, 0); column < columns; column += step[2]) {
        pixels[pending] = read.p + place(1, row) * read.row() + place(2, column) * depth;
        results[pending] = y.p + row * y.stride[0] + column * y.stride[1] + first * y.stride[2];
        if (++pending == tile_pixels) finish();
      }
    if (pending > 0) finish();
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::convolutions

namespace ricci::exec {
inline namespace RICCI_ABI {

// Threads share bands of all results.
template <int Part, class T>
requires(Part != convolutions::of_weights &&
         std::is_floating_point_v<T>) struct host_routine<convolutions::sums_t<Part>, T> {
  using op = convolutions::sums_t<Part>;
  using loop = core_loop<op, T>;
  using tiles = convolutions::tiles_of_pixels<Part, T>;

  static tiles tiles_of(geometry const& g) {
    attributes_of_call<op> const attributes(g.scalars);
    return tiles(convolutions::sizes_of<Part>(g.extent + g.kept, attributes.at));
  }
  static shared_units units_of(geometry const& g, tiles const& t) {
    return {product_of(g, 0, g.kept) * t.bands(), t.bytes(), is_alone(g.threads)};
  }
  static index_t memory(geometry const& g) { return units_of(g, tiles_of(g)).memory(g); }
  static void run(geometry const& g) {
    tiles const t = tiles_of(g);
    index_t const bands = t.bands();
    units_of(g, t).run(g, [&](index_t from, index_t to, char* own) {
      T* const weights = reinterpret_cast<T*>(own);
      T* const buffer = weights + t.weights_size();
      auto* const taps = reinterpret_cast<convolutions::tap*>(buffer + t.buffer_size());
      char const* packed = nullptr;
      for (; from < to; ++from) {
        odometer at(g);
        at.seek(g, 0, g.kept, from / bands);
        if (packed != at.p[1]) t.pack(loop::template view<1>(g, g.kept, at.p[1]), weights), packed = at.p[1];
        index_t const each = t.bands_of_slice(), unit = from % bands, first = unit % each * t.band;
        t.run(loop::template view<0>(g, g.kept, at.p[0]), weights, buffer, taps,
              loop::template view<2>(g, g.kept, at.p[2]), unit / each, first,
              first + t.band < t.height ? first + t.band : t.height);
      }
    });
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
