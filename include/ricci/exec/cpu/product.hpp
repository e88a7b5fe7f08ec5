// A matrix product as the loops on the CPU take it: two factors of any strides, and what is to be done with each piece
// of the result.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/scalar.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// One matrix: strides in elements.
template <class T>
struct matrix_ref {
  T const* p;
  index_t row, column;
};

// Rows of C, `row` apart, while they are computed.
template <class T>
struct rows_of_c {
  T* p;
  index_t row;
};
// What happens to a finished piece of C: so many rows and columns from `row` and `column` on, at c.
template <class T>
using epilogue = void (*)(void const* context, rows_of_c<T> c, index_t row, index_t column, index_t rows,
                          index_t columns);

template <class T>
struct product_t {
  matrix_ref<T> a, b;
  index_t m, n, k;
  epilogue<T> finish;
  void const* context;
  int threads;
  // where nothing is done but to store C, and its rows are dense: they are there, `to_row` apart; else null
  T* to;
  index_t to_row;

  // Where columns from `column` of the rows from `row` are computed: in their place, or in a buffer of rows of `width`.
  RICCI_INLINE rows_of_c<T> place(index_t row, index_t column, T* buffer, index_t width) const {
    return to ? rows_of_c<T>{to + row * to_row + column, to_row} : rows_of_c<T>{buffer, width};
  }
  // They are computed: so many rows and columns.
  RICCI_INLINE void finished(rows_of_c<T> c, index_t row, index_t column, index_t rows, index_t columns) const {
    if (!to) finish(context, c, row, column, rows, columns);
  }
  // How many threads are worth their start for so many multiplications.
  RICCI_INLINE int threads_for(index_t multiplications) const { return multiplications >= 64 * 64 * 64 ? threads : 1; }
};

// Which loops the products of a step may need, as bits: what its extents and strides exclude is not compiled for it.
inline constexpr int loops_of_one_row = 1, loops_of_few_columns = 2, loops_of_few_rows = 4, loops_of_tiles = 8,
                     loops_of_short_batches = 16, all_product_loops = 31;
// The variant of a product in the plan stands above these bits.
constexpr int with_loops(int variant, int loops) { return variant * (all_product_loops + 1) + loops; }
constexpr int variant_of(int variant_and_loops) { return variant_and_loops / (all_product_loops + 1); }
inline constexpr index_t few_columns = 8, few_rows = RICCI_SMALL_STACK ? 8 : 128;

inline constexpr index_t strip_columns =
    RICCI_SMALL_STACK ? 64 : 256;  // of C, so that a block of rows of a strip stays in L1
inline constexpr index_t block_depth = 512;
inline constexpr index_t most_packed_on_stack = 16384;
// B is read where it lies, A too where its rows are not dense, up to so many bytes; and about so many of A are packed
// at once.
inline constexpr index_t most_in_place = 300 * 1024, most_a_in_place = 160 * 1024, most_packed = 6 * 1024 * 1024;

// Rows of A are multiplied panel by panel of B where a panel is no larger than this, and A and C no larger than that.
inline constexpr index_t most_panel_in_l1 = 24 * 1024, most_rows_by_panels = 512 * 1024;

// Of a strip of B, so that it stays in the second-level cache.
inline constexpr index_t most_strip_in_l2 = 512 * 1024;
// `most` columns of a strip, halved until it fits there or is no wider than `width`.
constexpr index_t columns_in_l2(index_t most, index_t width, index_t bytes_of_column) {
  while (most > width && most * bytes_of_column > most_strip_in_l2) most /= 2;
  return most;
}

// Columns [from, from + n) of the row a times B, into c, one sum of products after the other.
template <class T>
RICCI_NOINLINE void multiply_elements_of_row(product_t<T> const& g, matrix_ref<T> const& a, index_t from, index_t n,
                                             T* c) {
  for (index_t j = 0; j < n; ++j) {
    T sum(0);
    for (index_t k = 0; k < g.k; ++k) sum += a.p[k * a.column] * g.b.p[(from + j) * g.b.column + k * g.b.row];
    c[j] = sum;
  }
}
// Rows [from, to) of the product where there is no memory for anything better: other steps may have written results
// already, so that it is too late to raise an error.
template <class T>
RICCI_COLD void multiply_elements(product_t<T> const& g, index_t from, index_t to) {
  T buffer[strip_columns];
  for (index_t i = from; i < to; ++i)
    for (index_t j = 0; j < g.n; j += strip_columns) {
      index_t const n = g.n - j < strip_columns ? g.n - j : strip_columns;
      rows_of_c<T> const c = g.place(i, j, buffer, strip_columns);
      multiply_elements_of_row(g, {g.a.p + i * g.a.row, g.a.row, g.a.column}, j, n, c.p);
      g.finished(c, i, j, 1, n);
    }
}

template <class T>
RICCI_COLD void multiply_elements(product_t<T> const& g) {
  multiply_elements(g, 0, g.m);
}

// Without SIMD, and for integers.
template <class T>
void multiply_plain(product_t<T> const& g) {
  T buffer[strip_columns];
  for (index_t i = 0; i < g.m; ++i)
    for (index_t j0 = 0; j0 < g.n; j0 += strip_columns) {
      index_t const n = g.n - j0 < strip_columns ? g.n - j0 : strip_columns;
      rows_of_c<T> const place = g.place(i, j0, buffer, strip_columns);
      T* const c = place.p;
      for (index_t j = 0; j < n; ++j) c[j] = T(0);
      for (index_t k = 0; k < g.k; ++k) {
        T const x = g.a.p[i * g.a.row + k * g.a.column];
        T const* b = g.b.p + k * g.b.row + j0 * g.b.column;
        if (g.b.column == 1)
          for (index_t j = 0; j < n; ++j) c[j] = scalar::add(c[j], scalar::multiply(x, b[j]));
        else
          for (index_t j = 0; j < n; ++j) c[j] = scalar::add(c[j], scalar::multiply(x, b[j * g.b.column]));
      }
      g.finished(place, i, j0, 1, n);
    }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
