// Products with few columns: mostly too few for a register. The columns of the right factor are laid along k, as the
// rows of the left one are, and each element is a dot product.
#pragma once

#include <ricci/exec/cpu/dots.hpp>
#include <ricci/exec/cpu/parallel.hpp>
#include <ricci/exec/cpu/product.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Whether dot products are faster than tiles, by what was measured with 1 to 8 columns. A step along k costs `dot_cost`
// eighths of one of a tile, for each column; adding up lanes is worth one pack of them. Tiles compute whole packs of
// columns. To pack B takes as long as to multiply some rows by it.
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
void multiply_few_columns(product_t<T> const& g) {
  constexpr index_t rows_at_once = 16;  // so that they stay in the first-level cache while all columns meet them
  bool const along_k = g.b.row == 1;
  scratch<most_packed_on_stack> memory(along_k ? 0 : g.n * g.k * index_t(sizeof(T)), std::nothrow);
  if (!memory.is_there()) [[unlikely]]
    return multiply_elements(g);
  rows_along_k<T> columns{g.b.p, g.b.column};
  if (!along_k) {
    auto* packed = reinterpret_cast<T*>(memory.data());
    for (index_t k = 0; k < g.k; ++k)
      for (index_t j = 0; j < g.n; ++j) packed[j * g.k + k] = g.b.p[k * g.b.row + j * g.b.column];
    columns = {packed, g.k};
  }
  auto const part = [&](index_t block) {
    alignas(64) T buffer[rows_at_once * few_columns];
    index_t const from = block * rows_at_once, rows = g.m - from < rows_at_once ? g.m - from : rows_at_once;
    rows_of_c<T> const c = g.place(from, 0, buffer, g.n);
    multiply_by_dots<T>(columns, g.n, {g.a.p + from * g.a.row, g.a.row}, rows, g.k, {c.p, 1, c.row});
    g.finished(c, from, 0, rows, g.n);
  };
  index_t const blocks = (g.m + rows_at_once - 1) / rows_at_once;
  parallel_for(g.m * g.n * g.k >= 64 * 64 * 64 ? g.threads : 1, blocks, part);
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
