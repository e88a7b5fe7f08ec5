// The matrix product C = A B with an epilogue: elementwise work that is done on each part of C while it is still in the
// L1 cache. A and B have any strides. C is made in strips of columns, within them in blocks of rows; a strip of B is
// put into panels first where it is read often enough and does not lie well already.
#pragma once

#include <ricci/exec/cpu/one_row.hpp>
#include <ricci/exec/cpu/thin_products.hpp>
#include <ricci/exec/cpu/transpose.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Columns [column, column + n) of B, row after row.
template <class T>
RICCI_NOINLINE void pack_columns(matrix_ref<T> b, index_t depth, index_t column, index_t n, T* to) {
  T const* from = b.p + column * b.column;
  constexpr index_t tile = 16;  // rows of B at a time, so that both sides stay in the cache
  for (index_t k0 = 0; k0 < depth; k0 += tile) {
    index_t const end = depth - k0 < tile ? depth : k0 + tile;
    if (b.column == 1) {
      for (index_t k = k0; k < end; ++k)
        for (index_t c = 0; c < n; ++c) to[k * n + c] = from[k * b.row + c];
      continue;
    }
    index_t first = 0;
    if constexpr (constexpr index_t size = square_of<T>; size > 0) {
      static_assert(tile % size == 0);
      if (b.row == 1 && end - k0 == tile)
        for (; first + size <= n; first += size)
          for (index_t k = k0; k < end; k += size)
            transpose_square(from + k + first * b.column, b.column, to + k * n + first, n);
    }
    for (index_t c = first; c < n; ++c)
      for (index_t k = k0; k < end; ++k) to[k * n + c] = from[k * b.row + c * b.column];
  }
}

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

// Kernels for one pack of columns and for more.
template <class T>
using tile_kernel = decltype(&multiply_tiles<2, 1, T>);
template <class T>
struct row_kernel {
  tile_kernel<T> one_pack, more;
  index_t most;  // rows
};

// For the first of so many rows. With FMA a row too much costs nothing, since one alone takes as long as two: its sums
// wait for each other.
template <class T>
RICCI_INLINE row_kernel<T> const& kernel_for(index_t rows) {
  constexpr int spare = micro_rows > 4 ? 1 : 0, few = 1 + spare, some = 2 * few, all = micro_rows;
  static constexpr row_kernel<T> kernels[] = {{&multiply_tiles<2, 1, T>, &multiply_tiles<few, 2, T>, few},
                                              {&multiply_tiles<some, 1, T>, &multiply_tiles<some, 2, T>, some},
                                              {&multiply_tiles<all, 1, T>, &multiply_tiles<all, 2, T>, all}};
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

// Rows [from, to) of a strip: to where they belong, or into memory from which the epilogue takes them. Those from
// `mirrored` on are mirrored.
template <class T>
RICCI_NOINLINE void multiply_strip(product_t<T> const& g, strip_of_b<T> const& b, index_t column, index_t n,
                                   index_t from, index_t to, index_t mirrored) {
  alignas(64) T buffer[micro_rows * strip_columns];
  index_t const whole = b.columns_of_whole(n), last = b.columns_of_last(n);
  while (from < to) {
    auto const& kernel = kernel_for<T>(to - from);
    index_t const rows = to - from < kernel.most ? to - from : kernel.most;
    T const* const a = g.a.p + from * g.a.row;
    rows_of_c<T> const c = g.place(from, column, buffer, strip_columns);
    for (index_t k = 0; whole > 0 && (k == 0 || k < g.k); k += block_depth)  // at least once: a sum of nothing is 0
      kernel.more(g, a + k * g.a.column, rows, {b.whole.p + k * b.whole.row, b.whole.row, b.whole.panel},
                  g.k - k < block_depth ? g.k - k : block_depth, c.p, c.row, whole, k > 0);
    if (last > 0)
      (last > b.size ? kernel.more : kernel.one_pack)(g, a, rows, b.last, g.k, c.p + n - last, c.row, last, false);
    index_t const upper = from < mirrored ? mirrored - from : 0;  // rows that are not mirrored
    if (upper < rows) finish_mirrored(g, {c.p + upper * c.row, c.row}, from + upper, column, rows - upper, n);
    g.finished(c, from, column, rows, n);
    from += rows;
  }
}

// The rows of a strip, shared among threads. Where C is symmetric, those from the diagonal on.
template <class T>
RICCI_NOINLINE void multiply_shared_strip(product_t<T> const& g, strip_of_b<T> const& b, index_t column, index_t n,
                                          bool symmetric) {
  index_t const first = symmetric ? column : 0, mirrored = symmetric ? column + n : g.m, rows = g.m - first;
  if (is_alone(g.threads) || rows * n * g.k < 64 * 64 * 64 || rows < 2 * micro_rows)
    return multiply_strip(g, b, column, n, first, g.m, mirrored);
  // those that are left over belong to the last chunk: each has all rows that it computes
  index_t const blocks = rows / micro_rows, chunks = blocks < 4 * g.threads ? blocks : 4 * g.threads;
  parallel_for(g.threads, chunks, [&](index_t c) {
    multiply_strip(g, b, column, n, first + blocks * c / chunks * micro_rows,
                   c + 1 < chunks ? first + blocks * (c + 1) / chunks * micro_rows : g.m, mirrored);
  });
}

template <class T>
RICCI_NOINLINE void multiply_packed(product_t<T> const& g, index_t most, bool symmetric) {
  using strip = strip_of_b<T>;
  index_t const widest = g.n < most ? (g.n + strip::width - 1) / strip::width * strip::width : most;
  scratch<most_packed_on_stack> memory(g.k * widest * index_t(sizeof(T)), std::nothrow);
  if (!memory.is_there()) [[unlikely]]
    return multiply_elements(g);
  auto* const packed = reinterpret_cast<T*>(memory.data());
  for (index_t j = 0; j < g.n; j += most) {
    index_t const n = g.n - j < most ? g.n - j : most;
    index_t const whole = strip::columns_of_whole(n), last = strip::columns_of_last(n);
    for (index_t p = 0; p < whole; p += strip::width) pack_columns(g.b, g.k, j + p, strip::width, packed + p * g.k);
    if (last > 0) pack_columns(g.b, g.k, j + n - last, last, packed + whole * g.k);
    strip const b{{packed, strip::width, g.k * strip::width}, {packed + whole * g.k, last, 0}};
    multiply_shared_strip(g, b, j, n, symmetric);
  }
}

template <class T>
RICCI_NOINLINE void multiply_in_strips(product_t<T> const& g) {
  using strip = strip_of_b<T>;
  bool const is_short = g.b.column == 1 && g.m <= 2 * micro_rows;
  if (is_short && g.to && g.n <= strip::width) {  // as for any strip, with nothing to find out
    columns_of_b<T> const b{g.b.p, g.b.row, 0};
    for (index_t row = 0; row < g.m;) {
      auto const& kernel = kernel_for<T>(g.m - row);
      index_t const rows = g.m - row < kernel.most ? g.m - row : kernel.most;
      (g.n > b.size ? kernel.more : kernel.one_pack)(g, g.a.p + row * g.a.row, rows, b, g.k, g.to + row * g.to_row,
                                                     g.to_row, g.n, false);
      row += rows;
    }
    return;
  }
  // a strip of B should stay in the second-level cache; what is computed above the diagonal is narrow
  bool const symmetric = g.m >= 4 * strip::width && is_symmetric(g);
  index_t most = symmetric ? (strip_columns / 2 > strip::width ? strip_columns / 2 : strip::width) : strip_columns;
  while (most > strip::width && g.k * most * index_t(sizeof(T)) > 512 * 1024) most /= 2;
  if (!is_short && (g.b.column != 1 || g.k * g.n * index_t(sizeof(T)) > 64 * 1024))
    return multiply_packed(g, most, symmetric);
  for (index_t j = 0; j < g.n; j += most) {
    index_t const n = g.n - j < most ? g.n - j : most;
    T const *const p = g.b.p + j, *const last = p + n - strip::columns_of_last(n);
    multiply_shared_strip(g, strip{{p, g.b.row, strip::width}, {last, g.b.row, 0}}, j, n, symmetric);
  }
}

#endif

template <class T, int Loops = all_product_loops>
void multiply(product_t<T> const& g) {
#if RICCI_HAS_XSIMD
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr ((Loops & loops_of_one_row) != 0)
      if (g.m == 1) return multiply_one_row(g);
    if constexpr ((Loops & loops_of_few_columns) != 0)
      if (has_few_columns(g)) return multiply_few<false>(g);
    if constexpr ((Loops & loops_of_few_rows) != 0)
      if (has_few_rows(g)) return multiply_few<true>(g);
    if constexpr ((Loops & loops_of_tiles) != 0) multiply_in_strips(g);
  } else
#endif
    multiply_plain(g);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
