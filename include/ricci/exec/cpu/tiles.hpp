// Tiles: where an operand is walked through with a stride (a transpose, say), a few rows of it are copied side by side
// first, element by element in the order that suits its memory, and read or written there.
#pragma once

#include <ricci/exec/geometry.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t tile_rows = RICCI_SMALL_STACK ? 4 : 16, tile_columns = RICCI_SMALL_STACK ? 16 : 128;
inline constexpr int max_strided = 8;

// One element of 1, 4 or 8 bytes, n times.
inline void fill_row(char* to, char const* from, int size, index_t n) {
  std::uint64_t word = 0;
  for (int at = 0; at < 8; at += size)
    __builtin_memcpy(reinterpret_cast<char*>(&word) + at, from, static_cast<std::size_t>(size));
  std::uint64_t const words[] = {word, word, word, word, word, word, word, word};
  index_t const bytes = n * size;
  index_t at = 0;
  for (; at + 64 <= bytes; at += 64) __builtin_memcpy(to + at, words, 64);
  __builtin_memcpy(to + at, words, static_cast<std::size_t>(bytes - at));
}
// Elements along the row, side by side.
inline void make_row(char* to, char const* from, index_t stride, int size, index_t n) {
  if (stride == 0 && n > 0) return fill_row(to, from, size, n);
  for (index_t i = 0; i < n; ++i) __builtin_memcpy(to + i * size, from + i * stride, static_cast<std::size_t>(size));
}

// rows x columns elements from memory into a tile, or back; strides in bytes
template <class T>
RICCI_NOINLINE void copy_tile(T* tile, char* memory, index_t row_stride, index_t column_stride, index_t rows,
                              index_t columns, bool back) {
  auto const element = [&](index_t r, index_t c) RICCI_INLINE_LAMBDA -> T& {
    return *reinterpret_cast<T*>(memory + r * row_stride + c * column_stride);
  };
  if (back) {
    for (index_t r = 0; r < rows; ++r)
      for (index_t c = 0; c < columns; ++c) element(r, c) = tile[r * tile_columns + c];
  } else if (column_stride == 0) {
    for (index_t r = 0; r < rows; ++r)
      fill_row(reinterpret_cast<char*>(tile + r * tile_columns), memory + r * row_stride, int(sizeof(T)), columns);
  } else if (row_stride == sizeof(T) && rows == tile_rows) {
    for (index_t c = 0; c < columns; ++c) {
      auto const* column = reinterpret_cast<T const*>(memory + c * column_stride);
      for (index_t r = 0; r < tile_rows; ++r) tile[r * tile_columns + c] = column[r];
    }
  } else {
    for (index_t c = 0; c < columns; ++c)
      for (index_t r = 0; r < rows; ++r) tile[r * tile_columns + c] = element(r, c);
  }
}
RICCI_NOINLINE inline void copy_tile(int size, char* tile, char* memory, index_t row_stride, index_t column_stride,
                                     index_t rows, index_t columns, bool back) {
  if (size == 4)
    copy_tile(reinterpret_cast<std::uint32_t*>(tile), memory, row_stride, column_stride, rows, columns, back);
  else if (size == 8)
    copy_tile(reinterpret_cast<std::uint64_t*>(tile), memory, row_stride, column_stride, rows, columns, back);
  else
    copy_tile(reinterpret_cast<std::uint8_t*>(tile), memory, row_stride, column_stride, rows, columns, back);
}

// Runs a kernel over `rows` rows of `columns` elements, the last two loops, from the operands at p.
RICCI_NOINLINE inline void run_tiles(kernel_info const& kernel, geometry const& g, char* const* p, index_t rows,
                                     index_t columns) {
  alignas(64) char tiles[max_strided][tile_rows * tile_columns * 8];
  static constexpr index_t no_strides[max_slots] = {};
  index_t const* inner = g.stride[g.loops - 1];
  index_t const* outer = g.loops > 1 ? g.stride[g.loops - 2] : no_strides;
  char* at[max_slots];
  // what lies side by side after all, as far as only the program knows, needs no tile
  bool in_tile[max_strided];
  for (int k = 0; k < kernel.strided_count; ++k) in_tile[k] = inner[kernel.strided[k].slot] != kernel.strided[k].size;
  for (index_t c = 0; c < columns; c += tile_columns) {
    index_t const width = columns - c < tile_columns ? columns - c : tile_columns;
    auto const copy = [&](bool back) {
      for (int k = 0; k < kernel.strided_count; ++k) {
        auto const& o = kernel.strided[k];
        if (in_tile[k] && o.written == back)
          copy_tile(o.size, tiles[k], p[o.slot] + c * inner[o.slot], outer[o.slot], inner[o.slot], rows, width, back);
      }
    };
    copy(false);
    for (index_t r = 0; r < rows; ++r) {
      for (int k = 0; k < g.slots; ++k) at[k] = p[k] + c * inner[k] + r * outer[k];
      for (int k = 0; k < kernel.strided_count; ++k)
        if (in_tile[k]) at[kernel.strided[k].slot] = tiles[k] + r * tile_columns * kernel.strided[k].size;
      kernel.row(at, g.scalars, width, nullptr);
    }
    copy(true);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
