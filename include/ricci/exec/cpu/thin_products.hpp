// Products with few rows or few columns. Where the other factor can be read along k, those few are laid along k, too,
// and each element is a dot product: A B with a few columns in B, or a few rows in A and B a transposed matrix, as
// weights often are.
#pragma once

#include <ricci/exec/cpu/dots.hpp>
#include <ricci/exec/cpu/parallel.hpp>
#include <ricci/exec/cpu/product.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Whether dot products are faster than tiles, by what was measured with 1 to 8 columns and 2 to 128 rows. A step along
// k costs `dot_cost` eighths of one of a tile, for each column, or `dot_row_cost`, for each row; adding up lanes is
// worth one pack of them, or three. Tiles compute whole packs of columns. To pack B takes as long as to multiply some
// rows by it.
template <class T>
bool has_few_columns(product_t<T> const& g) {
  constexpr index_t size = simd::pack<T>::size;
  if (g.n > few_columns || g.m < 4 || g.a.column != 1 || g.k < 2 * size) return false;
  if (!core::has_heap && g.n * g.k * index_t(sizeof(T)) > most_packed_on_stack) return false;
  index_t const lanes = (g.n + size - 1) / size * size, rows = g.m < 256 ? g.m : 256;
  bool const tiles_pack = g.b.column != 1, dots_pack = g.b.row != 1;
  return dot_cost * g.n * (g.k + size) * (rows + (dots_pack ? 6 : 0)) <=
         8 * lanes * g.k * (rows + (tiles_pack ? 16 : 0));
}
template <class T>
bool has_few_rows(product_t<T> const& g) {
  constexpr index_t size = simd::pack<T>::size;
  if (g.m > few_rows || g.n < 4 || g.b.row != 1 || g.b.column == 1 || g.k < 2 * size) return false;
  if (!core::has_heap && g.m * g.k * index_t(sizeof(T)) > most_packed_on_stack) return false;
  return dot_row_cost * g.m * (g.k + 3 * size) <= 8 * g.k * (g.m + 8);
}

// Those few rows (or else columns), and the many rows of the other factor along k, as many at a time as stay in the
// first-level cache.
template <bool Rows, class T>
void multiply_few(product_t<T> const& g) {
  // (in the lambda below g++ 12 would break off)
  constexpr index_t most_together = Rows ? strip_columns / 2 : 16, most_rows = Rows && few_rows > 16 ? 16 : few_columns;
  constexpr index_t buffer_size = most_together * most_rows;
  index_t const count = Rows ? g.m : g.n, many = Rows ? g.n : g.m;
  matrix_ref<T> const few = Rows ? g.a : matrix_ref<T>{g.b.p, g.b.column, g.b.row};
  rows_along_k<T> const others = Rows ? rows_along_k<T>{g.b.p, g.b.column} : rows_along_k<T>{g.a.p, g.a.row};
  bool const along_k = few.column == 1;
  scratch<most_packed_on_stack> memory(along_k ? 0 : count * g.k * index_t(sizeof(T)), std::nothrow);
  if (!memory.is_there()) [[unlikely]]
    return multiply_elements(g);
  rows_along_k<T> packed{few.p, few.row};
  if (!along_k) {
    auto* to = reinterpret_cast<T*>(memory.data());
    for (index_t k = 0; k < g.k; ++k)
      for (index_t j = 0; j < count; ++j) to[j * g.k + k] = few.p[k * few.column + j * few.row];
    packed = {to, g.k};
  }
  index_t together = most_together;
  if constexpr (Rows)
    while (together > 16 && together * g.k * index_t(sizeof(T)) > 16 * 1024) together /= 2;
  auto const part = [&](index_t block) {
    alignas(64) T buffer[buffer_size];
    index_t const from = block * together, n = many - from < together ? many - from : together;
    rows_along_k<T> const those{others.p + from * others.row, others.row};
    for (index_t first = 0; first < count; first += most_rows) {
      index_t const rows = count - first < most_rows ? count - first : most_rows;
      rows_along_k<T> const these{packed.p + first * packed.row, packed.row};
      rows_of_c<T> const c = Rows ? g.place(first, from, buffer, n) : g.place(from, first, buffer, rows);
      multiply_by_dots<T>(these, rows, those, n, g.k, Rows ? sums_to<T>{c.p, c.row, 1} : sums_to<T>{c.p, 1, c.row});
      if constexpr (Rows)
        g.finished(c, first, from, rows, n);
      else
        g.finished(c, from, first, n, rows);
    }
  };
  index_t const blocks = (many + together - 1) / together;
  parallel_for(g.threads_for(g.m * g.n * g.k), blocks, part);
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
