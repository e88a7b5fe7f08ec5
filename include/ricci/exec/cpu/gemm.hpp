// The matrix product C = A B with an epilogue: elementwise work that is done on each part of C while it is still in the
// L1 cache. A and B have any strides. C is made in strips of columns, within them in blocks of rows; a strip of B is
// put into panels first where it is read often enough and does not lie well already.
#pragma once

#include <ricci/exec/cpu/few_columns.hpp>
#include <ricci/exec/cpu/one_row.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Columns [column, column + n) of B as panels of `width` columns, row after row, zeros behind the last column.
template <class T>
RICCI_NOINLINE void pack_panels(matrix_ref<T> b, index_t depth, index_t column, index_t n, index_t width, T* to) {
  for (index_t j = 0; j < n; j += width) {
    index_t const used = n - j < width ? n - j : width;
    T const* from = b.p + (column + j) * b.column;
    if (b.column == 1) {
      for (index_t k = 0; k < depth; ++k)
        for (index_t c = 0; c < width; ++c) to[k * width + c] = c < used ? from[k * b.row + c] : T(0);
    } else {
      constexpr index_t tile = 16;  // rows of B at a time, so that both sides stay in the cache
      for (index_t k0 = 0; k0 < depth; k0 += tile) {
        index_t const rows = depth - k0 < tile ? depth - k0 : tile;
        for (index_t c = 0; c < width; ++c)
          for (index_t k = 0; k < rows; ++k)
            to[(k0 + k) * width + c] = c < used ? from[(k0 + k) * b.row + c * b.column] : T(0);
      }
    }
    to += depth * width;
  }
}

// A strip of C: where its B is found, panel by panel.
template <class T>
struct strip_of_b {
  T const* p;
  index_t row, panel;  // strides between rows and between panels
  T const* tail;       // the last, partial panel, packed; null where there is none
};

template <class T>
RICCI_NOINLINE void copy_rows(T const* from, index_t from_row, T* to, index_t to_row, index_t rows, index_t columns) {
  for (index_t r = 0; r < rows; ++r)
    __builtin_memcpy(to + r * to_row, from + r * from_row, static_cast<std::size_t>(columns) * sizeof(T));
}

// `rows` rows of a strip of C; All: they are Rows.
template <int Rows, bool All, class T>
RICCI_NOINLINE void multiply_rows(matrix_ref<T> const& a, index_t rows, strip_of_b<T> const& b, index_t n,
                                  index_t depth, T* c, index_t c_row) {
  constexpr index_t size = simd::pack<T>::size, width = size * micro_packs;
  index_t k0 = 0;
  do {  // at least once: a sum of nothing is 0
    index_t const kc = depth - k0 < block_depth ? depth - k0 : block_depth;
    matrix_ref<T> const part{a.p + k0 * a.column, a.row, a.column};
    bool const add = k0 > 0;
    for (index_t j = 0; j < n; j += width) {
      index_t const columns = n - j < width ? n - j : width;
      bool const packed = columns < width && b.tail;
      T const* const from = packed ? b.tail + k0 * width : b.p + j / width * b.panel + k0 * b.row;
      index_t const from_row = packed ? width : b.row;
      if constexpr (simd::loads_parts) {
        if (All && columns <= size)
          multiply_tile<Rows, 1, All>(part, rows, from, from_row, kc, c + j, c_row, add, columns);
        else
          multiply_tile<Rows, micro_packs, All>(part, rows, from, from_row, kc, c + j, c_row, add, columns);
      } else {
        // a tile of fewer columns goes through memory of its own
        alignas(64) T whole[Rows * width];
        bool const direct = columns == width;
        T* const to = direct ? c + j : whole;
        if (!direct && add) copy_rows(c + j, c_row, whole, width, rows, columns);
        multiply_tile<Rows, micro_packs, All>(part, rows, from, from_row, kc, to, direct ? c_row : width, add, width);
        if (!direct) copy_rows(whole, width, c + j, c_row, rows, columns);
      }
    }
    k0 += block_depth;
  } while (k0 < depth);
}

// Rows [from, to) of a strip: to where they belong, or into memory from which the epilogue takes them. Those left over
// from whole tiles are computed four or two at a time, of which not all need be there: one alone takes as long where
// its sums wait for each other. Without FMA they do not, and there are kernels for two and one.
template <class T>
RICCI_NOINLINE void multiply_strip(product_t<T> const& g, strip_of_b<T> const& b, index_t column, index_t n,
                                   index_t from, index_t to) {
  constexpr bool some_are_there = micro_rows > 4;
  alignas(64) T buffer[micro_rows * strip_columns];
  while (from < to) {
    matrix_ref<T> const a{g.a.p + from * g.a.row, g.a.row, g.a.column};
    index_t const left = to - from;
    index_t const most = left >= micro_rows           ? micro_rows
                         : some_are_there && left > 2 ? 4
                         : some_are_there || left > 1 ? 2
                                                      : 1;
    index_t const rows = left < most ? left : most;
    rows_of_c<T> const c = g.place(from, column, buffer, strip_columns);
    if (most == micro_rows)
      multiply_rows<micro_rows, true>(a, rows, b, n, g.k, c.p, c.row);
    else if (most == 2)
      multiply_rows<2, !some_are_there>(a, rows, b, n, g.k, c.p, c.row);
    else
      multiply_rows<some_are_there ? 4 : 1, !some_are_there>(a, rows, b, n, g.k, c.p, c.row);
    g.finished(c, from, column, rows, n);
    from += rows;
  }
}

template <class T>
RICCI_NOINLINE void multiply_in_strips(product_t<T> const& g) {
  constexpr index_t width = simd::pack<T>::size * micro_packs;

  // a strip of B should stay in the second-level cache
  index_t columns = strip_columns;
  while (columns > width && g.k * columns * index_t(sizeof(T)) > 512 * 1024) columns /= 2;
  columns = columns / width * width;

  bool const in_place = g.b.column == 1 && (g.m <= 2 * micro_rows || g.k * g.n * index_t(sizeof(T)) <= 64 * 1024);
  index_t const panel_bytes = g.k * width * index_t(sizeof(T));
  index_t const widest = g.n < columns ? (g.n + width - 1) / width * width : columns;
  bool const any_tail = g.n % width != 0 && !simd::loads_parts;
  index_t const bytes = in_place ? (any_tail ? panel_bytes : 0) : panel_bytes * (widest / width);
  scratch<most_packed_on_stack> memory(bytes, std::nothrow);
  if (!memory.is_there()) [[unlikely]]
    return multiply_elements(g);
  auto* packed = reinterpret_cast<T*>(memory.data());
  for (index_t j = 0; j < g.n; j += columns) {
    index_t const n = g.n - j < columns ? g.n - j : columns;
    strip_of_b<T> b;
    if (in_place) {
      b = {g.b.p + j, g.b.row, width, nullptr};
      if (any_tail && n % width != 0) {
        pack_panels(g.b, g.k, j + n / width * width, n % width, width, packed);
        b.tail = packed;
      }
    } else {
      pack_panels(g.b, g.k, j, n, width, packed);
      b = {packed, width, g.k * width, nullptr};
    }
    if (!is_alone(g.threads) && g.m * n * g.k >= 64 * 64 * 64 && g.m >= 2 * micro_rows) {
      index_t const blocks = (g.m + micro_rows - 1) / micro_rows,
                    chunks = blocks < 4 * g.threads ? blocks : 4 * g.threads;
      parallel_for(g.threads, chunks, [&](index_t c) {
        index_t const to = blocks * (c + 1) / chunks * micro_rows;
        multiply_strip(g, b, j, n, blocks * c / chunks * micro_rows, to < g.m ? to : g.m);
      });
    } else {
      multiply_strip(g, b, j, n, 0, g.m);
    }
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
      if (has_few_columns(g)) return multiply_few_columns(g);
    if constexpr ((Loops & loops_of_tiles) != 0) multiply_in_strips(g);
  } else
#endif
    multiply_plain(g);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
