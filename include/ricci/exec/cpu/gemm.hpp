// The matrix product C = A B with an epilogue: elementwise work that is done on each part of C while it is still in the
// L1 cache. A and B have any strides. C is made in strips of columns, within them in blocks of rows; a strip of B is
// put into panels first where it is read often enough and does not lie well already.
#pragma once

#include <ricci/exec/cpu/complex_product.hpp>
#include <ricci/exec/cpu/integer_product.hpp>
#include <ricci/exec/cpu/kept_scratch.hpp>
#include <ricci/exec/cpu/one_row.hpp>
#include <ricci/exec/cpu/panels.hpp>
#include <ricci/exec/cpu/thin_products.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// A strip of C: where its B is found, that of whole tiles and that of the last columns. Where parts of packs are not
// loaded well, these are computed together with some that are there already.
template <class T>
struct strip_of_b {
  static constexpr index_t size = columns_of_b<T>::size, width = columns_of_b<T>::width;
  columns_of_b<T> whole, last;

  // so many columns are those
  RICCI_INLINE static index_t columns_of_whole(index_t n) { return n / width * width; }
  RICCI_INLINE static index_t columns_of_last(index_t n) {
    index_t const left = n % width;
    return left == 0 || left > size || n < size || simd::loads_parts ? left : size;
  }
};

// Kernels for one pack of columns, for more, and for two packs of which the last is not whole behind a third.
template <class T>
using tile_kernel = decltype(&multiply_tiles<2, 1, T>);
template <class T>
struct row_kernel {
  tile_kernel<T> one_pack, more, three_packs;  // the last: null where there are too few registers
  index_t most;                                // rows of a tile

  // of so many rows that there are, those that it computes
  RICCI_INLINE index_t rows(index_t n) const {
    index_t const whole = most == micro_rows ? (n + spare_rows) / micro_rows * micro_rows : most;
    return whole < n ? whole : n;
  }
  // With FMA a row too much costs nothing, since one alone takes as long as two: its sums wait for each other.
  static constexpr int spare_rows = micro_rows > 4 ? 1 : 0;
};

// For the first of so many rows.
template <class T>
RICCI_INLINE row_kernel<T> const& kernel_for(index_t rows) {
  constexpr int spare = row_kernel<T>::spare_rows, few = 1 + spare, some = 2 * few, all = micro_rows;
  constexpr tile_kernel<T> three = [] {
    if constexpr (has_three_packs)
      return &multiply_tiles<all, 3, T>;
    else
      return tile_kernel<T>{};
  }();
  static constexpr row_kernel<T> kernels[] = {{&multiply_tiles<2, 1, T>, &multiply_tiles<few, 2, T>, nullptr, few},
                                              {&multiply_tiles<some, 1, T>, &multiply_tiles<some, 2, T>, nullptr, some},
                                              {&multiply_tiles<all, 1, T>, &multiply_tiles<all, 2, T>, three, all}};
  return kernels[rows + spare >= all ? 2 : rows + spare >= some ? 1 : 0];
}

// Whether C is symmetric, for B is A transposed in the same memory: half of it is computed, and mirrored.
template <class T>
RICCI_INLINE bool is_symmetric(product_t<T> const& g) {
  return g.a.p == g.b.p && g.m == g.n && g.a.row == g.b.column && g.a.column == g.b.row;
}
// Rows of a strip of a symmetric C stand in its upper half, too, as columns.
template <class T>
RICCI_NOINLINE void finish_mirrored(product_t<T> const& g, rows_of_c<T> c, index_t row, index_t column, index_t rows,
                                    index_t columns) {
  T turned[micro_rows];
  for (index_t k = 0; k < columns; ++k) {
    T* const to = g.to ? g.to + (column + k) * g.to_row + row : turned;
    for (index_t r = 0; r < rows; ++r) to[r] = c.p[r * c.row + k];
    g.finished({to, 0}, column + k, row, 1, rows);
  }
}

// A product in strips: its rows of A, [first, end) of them, and half of it where it is symmetric.
template <class T>
struct strips_of_c {
  using strip = strip_of_b<T>;
  product_t<T> const& g;  // with the strides that A has here
  rows_of_a<T> a;
  index_t end;
  bool symmetric;

  // How many rows of a strip go panel by panel. Several tiles, where a panel stays in the first-level cache while they
  // are multiplied by it, and all of A and C in the second-level one; and no more than the buffer has room for.
  RICCI_INLINE index_t rows_together(index_t rows, index_t n, index_t pitch) const {
    constexpr index_t bytes = sizeof(T);
    bool const by_panels = n <= strip::width ? n < strip::width || g.k <= block_depth
                                             : g.k * strip::width * bytes <= most_panel_in_l1 &&
                                                   rows * (g.k + n) * bytes <= most_rows_by_panels;
    if (symmetric || !by_panels) return micro_rows;
    index_t const room = micro_rows * strip_columns / pitch / micro_rows * micro_rows;
    return g.to || rows < room ? rows : room;
  }
  // Rows [from, to) of a strip: to where they belong, or into memory from which the epilogue takes them. Those from
  // `mirrored` on are mirrored.
  RICCI_NOINLINE void multiply_rows(strip const& b, index_t column, index_t n, index_t from, index_t to,
                                    index_t mirrored) const {
    alignas(64) T buffer[micro_rows * strip_columns];
    index_t const last = b.columns_of_last(n), pitch = (n + b.size - 1) / b.size * b.size,
                  together = rows_together(to - from, n, pitch);
    // a part of a pack behind whole tiles, where rows of B are dense
    bool const is_part = has_three_packs && last > 0 && last <= b.size && n > b.width && b.last.row == b.whole.row;
    while (from < to) {
      auto const& kernel = kernel_for<T>(to - from);
      index_t const rows = kernel.rows(to - from < together ? to - from : together),
                    tile = kernel.most == micro_rows ? a.tile : kernel.most * a.row;
      T const* const x = a.at(from);
      rows_of_c<T> const c = g.place(from, column, buffer, pitch);
      bool const three = is_part && kernel.three_packs;
      index_t const whole = b.columns_of_whole(n) - (three ? b.width : 0);
      for (index_t k = 0; (whole > 0 || three) && (k == 0 || k < g.k); k += block_depth) {  // once for a sum of nothing
        index_t const depth = g.k - k < block_depth ? g.k - k : block_depth;
        T const* const of_b = b.whole.p + k * b.whole.row;
        if (whole > 0)
          kernel.more(g, x + k * a.column, tile, rows, {of_b, b.whole.row, b.whole.panel}, depth, c.p, c.row, whole,
                      k > 0);
        if (three)
          kernel.three_packs(g, x + k * a.column, tile, rows, {of_b + whole, b.whole.row, 0}, depth, c.p + whole, c.row,
                             n - whole, k > 0);
      }
      if (last > 0 && !three)
        (last > b.size ? kernel.more : kernel.one_pack)(g, x, tile, rows, b.last, g.k, c.p + n - last, c.row, last,
                                                        false);
      index_t const upper = from < mirrored ? mirrored - from : 0;  // rows that are not mirrored
      if (upper < rows) finish_mirrored(g, {c.p + upper * c.row, c.row}, from + upper, column, rows - upper, n);
      g.finished(c, from, column, rows, n);
      from += rows;
    }
  }
  // The rows of a strip, shared among threads. Where C is symmetric, those from the diagonal on.
  RICCI_NOINLINE void multiply_strip(strip const& b, index_t column, index_t n) const {
    index_t const first = symmetric && column > a.first ? column : a.first, mirrored = symmetric ? column + n : g.m;
    if (first >= end) return;
    index_t const rows = end - first;
    if (is_alone(g.threads_for(rows * n * g.k)) || rows < 2 * micro_rows)
      return multiply_rows(b, column, n, first, end, mirrored);
    // those that are left over belong to the last chunk: each has all rows that it computes
    index_t const blocks = rows / micro_rows, chunks = blocks < 4 * g.threads ? blocks : 4 * g.threads;
    parallel_for(g.threads, chunks, [&](index_t c) {
      multiply_rows(b, column, n, first + blocks * c / chunks * micro_rows,
                    c + 1 < chunks ? first + blocks * (c + 1) / chunks * micro_rows : end, mirrored);
    });
  }
  // All strips, of at most so many columns, with panels of B.
  RICCI_NOINLINE void multiply_packed(index_t most) const {
    constexpr index_t width = strip::width;
    index_t const widest = g.n < most ? (g.n + width - 1) / width * width : most;
    kept_scratch<most_packed_on_stack> memory(g.k * widest * index_t(sizeof(T)));
    if (!memory.is_there()) [[unlikely]]
      return multiply_elements(g, a.first, end);
    auto* const packed = reinterpret_cast<T*>(memory.data());
    index_t const step = g.b.column, panel = g.k * width;
    for (index_t j = 0; j < g.n; j += most) {
      index_t const n = g.n - j < most ? g.n - j : most;
      index_t const whole = strip::columns_of_whole(n), last = strip::columns_of_last(n);
      auto const pack = [&](index_t from, index_t to) {
        pack_panels<width>({g.b.p + (j + from) * step, g.b.row, step}, g.k, to - from, packed + from * g.k, panel, 0);
      };
      parallel_parts(g.k * n < parallel_threshold ? 1 : g.threads, whole, pack, width);
      if (last > 0)
        pack_panels<width>({g.b.p + (j + n - last) * step, g.b.row, step}, g.k, last, packed + whole * g.k, panel,
                           last);
      multiply_strip({{packed, width, panel}, {packed + whole * g.k, last, 0}}, j, n);
    }
  }
  // All strips, with B where it lies, in dense rows.
  RICCI_NOINLINE void multiply_in_place(index_t most) const {
    for (index_t j = 0; j < g.n; j += most) {
      index_t const n = g.n - j < most ? g.n - j : most;
      T const *const p = g.b.p + j, *const last = p + n - strip::columns_of_last(n);
      multiply_strip({{p, g.b.row, strip::width}, {last, g.b.row, 0}}, j, n);
    }
  }
};

// With A in tiles, as many rows at a time as `most_packed` bytes hold.
template <class T>
RICCI_NOINLINE void multiply_tiled(product_t<T> const& g, index_t most, bool symmetric) {
  // tiles are a line of the cache more apart, lest all begin at the same place in it
  index_t const tile = micro_rows * g.k + 16, tiles = (g.m + micro_rows - 1) / micro_rows;
  index_t const parts = tiles * tile * index_t(sizeof(T)) / most_packed + 1;
  index_t const rows = (tiles + parts - 1) / parts * micro_rows;
  kept_scratch<most_packed_on_stack> memory(rows / micro_rows * tile * index_t(sizeof(T)));
  if (!memory.is_there()) [[unlikely]]
    return strips_of_c<T>{g, {g.a.p, 0, g.a.row, g.a.column, micro_rows * g.a.row}, g.m, symmetric}.multiply_packed(
        most);
  auto* const packed = reinterpret_cast<T*>(memory.data());
  product_t<T> tiled = g;
  tiled.a = {g.a.p, 1, micro_rows};
  for (index_t first = 0; first < g.m; first += rows) {
    index_t const end = g.m - first < rows ? g.m : first + rows;
    auto const pack = [&](index_t from, index_t to) {
      pack_panels<micro_rows>({g.a.p + (first + from) * g.a.row, g.a.column, g.a.row}, g.k, to - from,
                              packed + from / micro_rows * tile, tile, micro_rows);
    };
    parallel_parts(g.threads, end - first, pack, micro_rows);
    strips_of_c<T>{tiled, {packed, first, 1, micro_rows, tile}, end, symmetric}.multiply_packed(most);
  }
}

template <class T>
RICCI_NOINLINE void multiply_in_strips(product_t<T> const& g) {
  using strip = strip_of_b<T>;
  constexpr index_t bytes = sizeof(T), width = strip::width;
  bool const is_short = g.b.column == 1 && g.m <= 2 * micro_rows;
  if (is_short && g.to && g.n <= width) {  // as for any strip, with nothing to find out
    columns_of_b<T> const b{g.b.p, g.b.row, 0};
    for (index_t row = 0; row < g.m;) {
      auto const& kernel = kernel_for<T>(g.m - row);
      index_t const rows = kernel.rows(g.m - row);
      (g.n > b.size ? kernel.more : kernel.one_pack)(g, g.a.p + row * g.a.row, kernel.most * g.a.row, rows, b, g.k,
                                                     g.to + row * g.to_row, g.to_row, g.n, false);
      row += rows;
    }
    return;
  }
  // what is computed above the diagonal is narrow
  bool const symmetric = g.m >= 4 * width && is_symmetric(g);
  index_t const widest = symmetric ? (strip_columns / 2 > width ? strip_columns / 2 : width) : strip_columns;
  index_t most = columns_in_l2(widest, width, g.k * bytes);
  // a few rows of B: what is written to C is most, and goes to long stretches of its rows
  if (g.to && !symmetric)
    while (most < longest_strip && 2 * g.k * most * bytes <= 32 * 1024) most *= 2;
  // (the rows of a symmetric product begin at its diagonal, where no tile may)
  bool const tiles_a = g.a.column != 1 && g.m * g.k * bytes > most_a_in_place && g.n >= 2 * width && !is_short &&
                       (!symmetric || width % micro_rows == 0);
  if (tiles_a) return multiply_tiled(g, most, symmetric);
  strips_of_c<T> const strips{g, {g.a.p, 0, g.a.row, g.a.column, micro_rows * g.a.row}, g.m, symmetric};
  // to pack it pays by the number of rows
  if (is_short || (g.b.column == 1 && g.k * g.n * bytes <= (g.m > 96 ? most_in_place : 4 * most_in_place)))
    strips.multiply_in_place(most);
  else
    strips.multiply_packed(most);
}

#endif

template <class T, int Loops = all_product_loops>
void multiply(product_t<T> const& g) {
#if RICCI_HAS_XSIMD
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr ((Loops & loops_of_one_row) != 0)
      if (g.m == 1) return multiply_one_row(g);
    if constexpr ((Loops & loops_of_one_row) != 0 && (Loops & loops_of_tiles) != 0)
      if (g.n == 1 && g.a.row == 1 && g.a.column != 1 && g.to && g.to_row == 1) {  // a dense column is a row as well
        product_t<T> const turned{
            {g.b.p, g.b.column, g.b.row}, {g.a.p, g.a.column, 1}, 1, g.m, g.k, nullptr, nullptr, g.threads, g.to, g.m};
        return multiply_one_row(turned);
      }
    if constexpr ((Loops & loops_of_few_columns) != 0)
      if (has_few_columns(g)) return multiply_few<false>(g);
    if constexpr ((Loops & loops_of_few_rows) != 0)
      if (has_few_rows(g)) return multiply_few<true>(g);
    if constexpr ((Loops & loops_of_tiles) != 0) multiply_in_strips(g);
  } else if constexpr (is_complex_number<T>) {
    multiply_complex(g);
  } else
#endif
      if constexpr (is_integer(dtype_of<T>) && sizeof(T) == 4)
    multiply_integers(g, g.a, g.b);
  else
    multiply_plain(g);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
