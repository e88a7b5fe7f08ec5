// Gradients of a convolution's weights on the host: products of images with cotangents of results, summed over pixels
// in register tiles, of some channels with two packs of features. A band of rows of both at a time is copied: of images
// with zeros around them, of cotangents into panels.
#pragma once

#include <ricci/conv/kernels.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::convolutions {
inline namespace RICCI_ABI {

template <class T>
struct tiles_of_weights {
  static constexpr index_t width = panel_width<T>;
  sizes s;
  index_t band, columns_read;
  bool along_row;  // weights of a row of the window meet numbers that lie side by side

  tiles_of_weights(sizes const& of)
      : s(of),
        band(rows_of_band<of_weights, T>(s)),
        columns_read(rows_read<of_weights>(s, 2, 0, s.result[2]).count),
        along_row(s.dilation[2] == 1) {}

  bool are_empty() const { return rows_of_window() * s.kernel[2] * s.channels * s.features == 0; }
  bool are_zero() const { return s.result[0] * s.result[1] * s.result[2] == 0; }
  index_t rows_of_window() const { return s.kernel[0] * s.kernel[1]; }
  index_t row_of_weights() const { return s.kernel[2] * s.channels; }
  index_t sums_size() const { return rows_of_window() * row_of_weights() * panels<T>(s.features) * width; }
  index_t cotangents_size() const { return band * s.result[2] * panels<T>(s.features) * width; }
  index_t buffer_size() const {
    index_t const n = are_zero() ? 0 : rows_read<of_weights>(s, 1, 0, band).count * columns_read * s.channels;
    return (n + tile_pixels + 31) / 32 * 32;
  }
  index_t bytes() const { return core::bytes_of(sums_size() + cotangents_size() + buffer_size(), sizeof(T)); }

  template <class X, class Z, class W>
  void run(X const& x, Z const& z, W const& w, T* memory) const {
    T *const cotangents = memory + sums_size(), *const buffer = cotangents + cotangents_size();
    for (index_t k = 0; k < sums_size(); ++k) memory[k] = T(0);
    for (index_t at = 0; at < s.result[0] && !are_zero(); ++at)
      for (index_t from = 0; from < s.result[1]; from += band)
        add_band(x, z, at, from, from + band < s.result[1] ? from + band : s.result[1], memory, cotangents, buffer);
    T const* from = memory;
    for (index_t first = 0; first < s.features; first += width)
      for (index_t i = 0; i < rows_of_window(); ++i)
        for (index_t j = 0; j < s.kernel[2]; ++j)
          for (index_t c = 0; c < s.channels; ++c, from += width)
            for (index_t k = 0; k < width && first + k < s.features; ++k) w(i, j, c, first + k) = from[k];
  }
  // rows [from, to) of slice `at` of the cotangents, with all slices of the image that they meet
  template <class X, class Z>
  void add_band(X const& x, Z const& z, index_t at, index_t from, index_t to, T* sums, T* cotangents, T* buffer) const {
    index_t const columns = s.result[2], pixels = (to - from) * columns;
    T* into = cotangents;
    for (index_t p = at * s.result[1] + from; p < at * s.result[1] + to; ++p)
      for (index_t q = 0; q < columns; ++q, into += width)
        copy_to_panels(into, pixels, z.p + p * z.stride[0] + q * z.stride[1], z.stride[2], s.features);
    interval_of_rows const rows = rows_read<of_weights>(s, 1, from, to);
    padded<T> const read{buffer, rows.low, -s.pad[2], rows.count, columns_read, s.channels};
    for (index_t u = 0; u < s.kernel[0]; ++u) {
      index_t const slice = at * s.stride[0] + u * s.dilation[0] - s.pad[0];
      if (slice < 0 || slice >= s.image[0]) continue;
      X here = x;
      here.p += slice * s.image[1] * x.stride[0];
      read.fill(here, s.image[1], s.image[2]);
      for (index_t panel = 0; panel < panels<T>(s.features); ++panel)
        add_slice(read, sums + (panel * s.kernel[0] + u) * s.kernel[1] * row_of_weights() * width,
                  cotangents + panel * pixels * width, to - from);
    }
  }
  // of one slice of the window and one panel of features
  void add_slice(padded<T> const& read, T* sums, T const* cotangents, index_t rows) const {
    for (index_t i = 0; i < s.kernel[1]; ++i, sums += row_of_weights() * width)
      for (index_t j = 0; j < (along_row ? 1 : s.kernel[2]); ++j) {
        T const* const window = read.p + i * s.dilation[1] * read.row() + j * s.dilation[2] * s.channels;
        T* const row = sums + j * s.channels * width;
        index_t const n = along_row ? row_of_weights() : s.channels;
        for (index_t c = 0; c < n; c += tile_pixels) {
          alignas(64) T tile[tile_pixels * width];
          sum_of_pixels(window + c, s.stride[1] * read.row(), s.stride[2] * s.channels, cotangents, rows, s.result[2],
                        tile);
          index_t const count = (n - c < tile_pixels ? n - c : tile_pixels) * width;
          for (index_t k = 0; k < count; ++k) row[c * width + k] += tile[k];
        }
      }
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::convolutions

namespace ricci::exec {
inline namespace RICCI_ABI {

// Threads share the cores.
template <class T>
requires std::is_floating_point_v<T>
struct host_routine<convolutions::sums_t<convolutions::of_weights>, T> {
  using op = convolutions::sums_t<convolutions::of_weights>;
  using loop = core_loop<op, T>;
  using tiles = convolutions::tiles_of_weights<T>;

  static tiles tiles_of(geometry const& g) {
    attributes_of_call<op> const attributes(g.scalars);
    return tiles(convolutions::sizes_of<convolutions::of_weights>(g.extent + g.kept, attributes.at));
  }
  static shared_units cores_of(geometry const& g, tiles const& t) {
    return {product_of(g, 0, g.kept), t.bytes(), is_alone(g.threads)};
  }
  static index_t memory(geometry const& g) { return cores_of(g, tiles_of(g)).memory(g); }
  static void run(geometry const& g) {
    tiles const t = tiles_of(g);
    if (t.are_empty()) return;
    cores_of(g, t).run(g, [&](index_t from, index_t to, char* own) {
      for (; from < to; ++from) {
        odometer at(g);
        at.seek(g, 0, g.kept, from);
        t.run(loop::template view<0>(g, g.kept, at.p[0]), loop::template view<1>(g, g.kept, at.p[1]),
              loop::template view<2>(g, g.kept, at.p[2]), reinterpret_cast<T*>(own));
      }
    });
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
