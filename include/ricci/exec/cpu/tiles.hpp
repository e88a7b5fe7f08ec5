// Tiles: where an operand is walked through with a stride (a transpose, say), a few rows of it are copied side by side
// first, element by element in the order that suits its memory, and read or written there.
#pragma once

#include <ricci/exec/cpu/interleave.hpp>
#include <ricci/exec/cpu/transpose.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t tile_rows = RICCI_SMALL_STACK ? 4 : 16, tile_columns = RICCI_SMALL_STACK ? 16 : 128;
// A row that repeats one element is filled in pieces of this length.
inline constexpr index_t longest_repeated = tile_columns;
// Memory for this many tiles; where a kernel has more operands that need one, tiles are narrower.
inline constexpr int wide_tiles = 8;
inline constexpr index_t tile_memory = wide_tiles * tile_rows * tile_columns * largest_element;
// The columns of each of n tiles: a power of two, so that rows stay aligned.
constexpr index_t columns_of_tiles(int n) {
  index_t columns = tile_columns;
  while (n * tile_rows * columns * largest_element > tile_memory) columns /= 2;
  return columns;
}
static_assert(columns_of_tiles(max_slots) > 0);

// One element, n times.
inline void fill_row(char* to, char const* from, int size, index_t n) {
  using word = core::word_of<largest_element>::type;
  word one{};
  for (int at = 0; at < int(sizeof one); at += size)
    __builtin_memcpy(reinterpret_cast<char*>(&one) + at, from, static_cast<std::size_t>(size));
  word words[64 / sizeof one];
  for (word& w : words) w = one;
  index_t const bytes = n * size;
  index_t at = 0;
  for (; at + 64 <= bytes; at += 64) __builtin_memcpy(to + at, words, 64);
  __builtin_memcpy(to + at, words, static_cast<std::size_t>(bytes - at));
}
// Elements along the row, `stride` bytes apart, side by side.
inline void copy_row(char* to, char const* from, index_t stride, int size, index_t n) {
  if (stride == 0 && n > 0) return fill_row(to, from, size, n);
  for (index_t i = 0; i < n; ++i) __builtin_memcpy(to + i * size, from + i * stride, static_cast<std::size_t>(size));
}

// n elements, `step` apart, side by side. Where the compiler knows the step, it moves whole registers of them.
template <class T>
RICCI_VECTORISED void gather_row(T* __restrict to, T const* __restrict from, index_t step, index_t n) {
  if (step == -1)
    for (index_t i = 0; i < n; ++i) to[i] = from[-i];
  else if (step == 2)
    for (index_t i = 0; i < n; ++i) to[i] = from[2 * i];
  else
    for (index_t i = 0; i < n; ++i) to[i] = from[step * i];
}
// Squares of a tile whose columns lie along memory, from there or back, as many as stand side by side; how many columns
// these are.
template <class T>
RICCI_INLINE index_t copy_squares(T* tile, index_t pitch, T* memory, index_t step, index_t columns, bool back) {
  index_t c = 0;
  if constexpr (constexpr index_t size = square_of<T>; size > 0 && tile_rows % (size > 0 ? size : 1) == 0)
    for (; c + size <= columns; c += size)
      for (index_t r = 0; r < tile_rows; r += size) {
        if (back)
          transpose_square(tile + r * pitch + c, pitch, memory + c * step + r, step);
        else
          transpose_square(memory + c * step + r, step, tile + r * pitch + c, pitch);
      }
  return c;
}
// Rows x columns elements from memory into a tile with rows of `pitch`, or back; strides in bytes.
template <class T, index_t Pitch>
RICCI_NOINLINE void copy_tile(char* to, char* memory, index_t row_stride, index_t column_stride, index_t rows,
                              index_t columns, bool back, index_t narrow) {
  T* const tile = reinterpret_cast<T*>(to);
  constexpr index_t close = 32;  // several elements in a line of the cache
  index_t const pitch = Pitch > 0 ? Pitch : narrow;
  auto const element = [&](index_t r, index_t c) RICCI_INLINE_LAMBDA -> T& {
    return *reinterpret_cast<T*>(memory + r * row_stride + c * column_stride);
  };
  bool const whole = row_stride == sizeof(T) && rows == tile_rows;
  index_t const squares =
      whole ? copy_squares(tile, pitch, reinterpret_cast<T*>(memory), column_stride / index_t(sizeof(T)), columns, back)
            : 0;
  if (back) {
    for (index_t r = 0; r < rows; ++r)
      for (index_t c = squares; c < columns; ++c) element(r, c) = tile[r * pitch + c];
  } else if (column_stride == 0) {
    for (index_t r = 0; r < rows; ++r)
      fill_row(reinterpret_cast<char*>(tile + r * pitch), memory + r * row_stride, int(sizeof(T)), columns);
  } else if (whole) {
    for (index_t c = squares; c < columns; ++c) {
      auto const* column = reinterpret_cast<T const*>(memory + c * column_stride);
      for (index_t r = 0; r < tile_rows; ++r) tile[r * pitch + c] = column[r];
    }
  } else if (rows == 1 || (column_stride <= close && column_stride >= -close)) {
    for (index_t r = 0; r < rows; ++r)
      gather_row(tile + r * pitch, &element(r, 0), column_stride / index_t(sizeof(T)), columns);
  } else {
    for (index_t c = 0; c < columns; ++c)
      for (index_t r = 0; r < rows; ++r) tile[r * pitch + c] = element(r, c);
  }
}
template <int Size>
constexpr strided_info tiled(int slot, bool written, bool narrow) {
  using T = typename core::word_of<Size>::type;
  return {slot, Size, written, &copy_tile<T, tile_columns>, narrow ? &copy_tile<T, 0> : nullptr};
}

// Runs a kernel over `rows` rows of `columns` elements, the last two loops, from the operands at p. Pitch: the columns
// of a tile, as a constant where they are as many as ever.
template <index_t Pitch>
RICCI_NOINLINE inline void run_in_tiles(kernel_info const& kernel, geometry const& g, char* const* p, index_t rows,
                                        index_t columns, strided_info const* const* tiled, int count) {
  alignas(64) char tiles[tile_memory];
  static constexpr index_t no_strides[max_slots] = {};
  index_t const pitch = Pitch > 0 ? Pitch : columns_of_tiles(count), bytes = tile_rows * largest_element * pitch;
  index_t const* inner = g.stride[g.loops - 1];
  index_t const* outer = g.loops > 1 ? g.stride[g.loops - 2] : no_strides;
  char* at[max_slots];
  index_t down[max_slots];
  for (int k = 0; k < g.slots; ++k) down[k] = outer[k];
  strided_info const* written[max_slots];
  char const* tile_of[max_slots];
  int writes = 0;
  for (int k = 0; k < count; ++k) {
    down[tiled[k]->slot] = pitch * tiled[k]->size;
    if (tiled[k]->written) tile_of[writes] = tiles + k * bytes, written[writes++] = tiled[k];
  }
  auto const turn = interleaved(written, writes, p, inner, outer);
  index_t const most = rows == 1 ? tile_rows * pitch : pitch;  // a single row may take all of the tile
  for (index_t c = 0; c < columns; c += most) {
    index_t const width = columns - c < most ? columns - c : most;
    auto const copy = [&](bool back) {
      for (int k = 0; k < count; ++k) {
        auto const& o = *tiled[k];
        if (o.written == back)
          (Pitch > 0 ? o.copy : o.copy_narrow)(tiles + k * bytes, p[o.slot] + c * inner[o.slot], outer[o.slot],
                                               inner[o.slot], rows, width, back, pitch);
      }
    };
    copy(false);
    for (int k = 0; k < g.slots; ++k) at[k] = p[k] + c * inner[k];
    for (int k = 0; k < count; ++k) at[tiled[k]->slot] = tiles + k * bytes;
    kernel.row(at, g.scalars, width, nullptr, rows, down);
    if (turn.at[0] < 0) {
      copy(true);
      continue;
    }
    auto const& first = *written[turn.at[0]];
    for (index_t r = 0; r < rows; ++r) {
      char const* row[most_interleaved];
      for (int k = 0; k < writes; ++k) row[k] = tile_of[turn.at[k]] + r * pitch * first.size;
      interleave(p[first.slot] + c * inner[first.slot] + r * outer[first.slot], row, writes, first.size, width);
    }
  }
}
// The same where what needs a tile is one element all along a row (broadcasting that shows at run time): of each a
// piece of a row is filled, which stands for all pieces, and the others are read in the order of memory. For at most
// wide_tiles of them.
RICCI_NOINLINE inline void run_repeated(kernel_info const& kernel, geometry const& g, char* const* p, index_t rows,
                                        index_t columns, strided_info const* const* tiled, int count) {
  alignas(64) char filled[wide_tiles * longest_repeated * largest_element];
  constexpr index_t length = longest_repeated;
  index_t const whole = columns / length;
  index_t const* inner = g.stride[g.loops - 1];
  char* at[max_slots];
  index_t along[max_slots];
  for (int k = 0; k < g.slots; ++k) along[k] = length * inner[k];
  for (index_t r = 0; r < rows; ++r) {
    for (int k = 0; k < g.slots; ++k) at[k] = p[k] + (r > 0 ? r * g.stride[g.loops - 2][k] : 0);
    for (int k = 0; k < count; ++k) {
      auto const& o = *tiled[k];
      char* const row = filled + k * longest_repeated * largest_element;
      fill_row(row, at[o.slot], o.size, length);
      at[o.slot] = row;
    }
    kernel.row(at, g.scalars, length, nullptr, whole, along);
    if (whole * length == columns) continue;
    for (int k = 0; k < g.slots; ++k) at[k] += whole * along[k];
    kernel.row(at, g.scalars, columns - whole * length, nullptr, 1, nullptr);
  }
}
// Runs it in the way that suits its operands.
inline void run_tiles(kernel_info const& kernel, geometry const& g, char* const* p, index_t rows, index_t columns) {
  // operands that turn out at run time to lie side by side need no tile
  strided_info const* tiled[max_slots];
  int count = 0;
  bool repeated = columns > longest_repeated;
  for (int k = 0; k < kernel.strided_count; ++k) {
    strided_info const& o = kernel.strided[k];
    index_t const stride = g.stride[g.loops - 1][o.slot];
    if (stride == o.size) continue;
    tiled[count++] = &o;
    repeated = repeated && stride == 0 && !o.written;
  }
  if (repeated && count <= wide_tiles)
    run_repeated(kernel, g, p, rows, columns, tiled, count);
  else if (count <= wide_tiles)
    run_in_tiles<tile_columns>(kernel, g, p, rows, columns, tiled, count);
  else
    run_in_tiles<0>(kernel, g, p, rows, columns, tiled, count);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
