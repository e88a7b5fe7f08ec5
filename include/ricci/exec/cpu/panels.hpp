// Where a factor lies in memory in an order that suits the loops of a product: columns of B in panels, row after row,
// and rows of A in tiles, column after column; both from any strides.
#pragma once

#include <ricci/exec/cpu/microkernel.hpp>
#include <ricci/exec/cpu/transpose.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Columns of a matrix, `depth` rows of them, in panels of `Width` (A's tiles are panels of its transpose). Rows of the
// last one are `last` long, if it has fewer columns.
template <int Width, class T>
RICCI_NOINLINE void pack_panels(matrix_ref<T> b, index_t depth, index_t columns, T* to, index_t panel, index_t last) {
  // rows at a time, so that both sides stay in the cache: each line of rows that lie in memory is read once
  constexpr index_t tile = 16, few = 8;
  index_t first = 0;
  if (b.column == 1)
    for (index_t k0 = 0; k0 < depth; k0 += few) {
      index_t const end = depth - k0 < few ? depth : k0 + few;
      for (first = 0; first + Width <= columns; first += Width) RICCI_UNROLL(1)
      for (index_t k = k0; k < end; ++k)
        __builtin_memcpy(to + first / Width * panel + k * Width, b.p + first + k * b.row, Width * sizeof(T));
    }
  for (; first < columns; first += Width) {
    bool const whole = first + Width <= columns;
    index_t const n = whole ? Width : columns - first, row = whole ? Width : last;
    T const* const from = b.p + first * b.column;
    T* const packed = to + first / Width * panel;
    for (index_t k0 = 0; k0 < depth; k0 += tile) {
      index_t const end = depth - k0 < tile ? depth : k0 + tile;
      index_t c = 0;
      if constexpr (constexpr index_t size = square_of<T>; size > 0 && Width == columns_of_b<T>::width) {
        static_assert(tile % size == 0);
        if (b.row == 1 && end - k0 == tile)
          for (; c + size <= n; c += size) RICCI_UNROLL(1)
        for (index_t k = k0; k < end; k += size)
          transpose_square(from + k + c * b.column, b.column, packed + k * row + c, row);
      }
      for (; c < n; ++c)
        for (index_t k = k0; k < end; ++k) packed[k * row + c] = from[k * b.row + c * b.column];
    }
  }
}

// Rows of A, as they lie or in tiles of `micro_rows` rows; the first of them is row `first`.
template <class T>
struct rows_of_a {
  T const* p;
  index_t first, row, column, tile;

  RICCI_INLINE T const* at(index_t i) const {
    return p + (i - first) / micro_rows * tile + (i - first) % micro_rows * row;
  }
};

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
