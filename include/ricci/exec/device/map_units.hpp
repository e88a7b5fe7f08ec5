// How the elements of a map are dealt to indices: each has a unit of a row, of as many elements as one access of 128
// bits holds. They lie side by side where packs of them may be accessed; else so far apart that neighbouring indices
// access neighbouring elements. Where an operand is transposed the indices of a block have a tile of rows and columns.
#pragma once

#include <ricci/exec/device/division.hpp>

namespace ricci::exec {

// Columns of a tile, and of its rows as many elements of `16 / width` bytes as are a line of memory, 128 bytes. A warp
// has as many rows as fill a sector of 32 bytes; so each of its accesses touches whole sectors, along rows and across.
inline constexpr std::uint32_t columns_of_tile = 32, indices_of_tile = 256;

struct map_units {
  bool packed;              // elements of a unit lie side by side, and so that a pack of them may be accessed
  bool tiled;               // rows are those of the two innermost loops
  int shift;                // elements of a unit are 2^shift apart
  std::uint32_t in_row;     // units of a row; where it is tiled tiles beside one another
  std::uint32_t tile_rows;  // tiles below one another
  reciprocal by_in_row, by_tile_rows;
};
// Indices are below 2^31: a map of more elements than this is split.
inline constexpr index_t most_elements_of_map = index_t(1) << 29;
struct map_place {
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  std::uint32_t row, unit;
};
RICCI_HD constexpr map_place place_in_tiles(map_units const& u, std::uint32_t i, std::uint32_t rows, int width) {
  auto const w = static_cast<std::uint32_t>(width);
  std::uint32_t const tile = i / indices_of_tile, line = u.by_in_row.quotient(tile),
                      outer = u.by_tile_rows.quotient(line);
  std::uint32_t const thread = i % indices_of_tile, warp = thread / 32, lane = thread % 32;
  std::uint32_t const row = (line - outer * u.tile_rows) * (8 * w) + warp % 4 * (2 * w) + lane % (2 * w);
  if (row >= rows) return {map_place::none, 0};
  return {outer * rows + row, (tile - line * u.in_row) * (columns_of_tile / w) + warp / 4 * (16 / w) + lane / (2 * w)};
}
RICCI_HD constexpr map_place place_in_rows(map_units const& u, std::uint32_t i) {
  std::uint32_t const row = u.by_in_row.quotient(i);
  return {row, i - row * u.in_row};
}
// the first element of a unit of a row
RICCI_HD constexpr std::uint32_t first_of_unit(map_units const& u, std::uint32_t unit, int width) {
  std::uint32_t const behind = unit & ((std::uint32_t(1) << u.shift) - 1);
  return (unit - behind) * static_cast<std::uint32_t>(width) + behind;
}

// Of rows of `length` elements; `tiled_rows`: iterations of the loop around the innermost one, 0 where there are no
// tiles.
constexpr map_units units_of_map(int width, bool packed, index_t length, index_t tiled_rows) {
  map_units u{packed, tiled_rows > 0, 0, 1, 1, {}, {}};
  if (u.tiled) {
    if (!packed)
      while (std::uint32_t(width << u.shift) < columns_of_tile) ++u.shift;
    u.in_row = static_cast<std::uint32_t>(quotient_up(length, columns_of_tile));
    u.tile_rows = static_cast<std::uint32_t>(quotient_up(tiled_rows, 8 * width));
  } else {
    index_t const units = quotient_up(length, width);
    // 32 indices access 32 elements side by side, or 8 (a sector of floats) where too many would have none
    auto const in_row = [&](int shift) { return quotient_up(length, index_t(width) << shift) << shift; };
    if (!packed && width > 1) {
      while (u.shift < 5 && (index_t(1) << u.shift) < units) ++u.shift;
      while (u.shift > 3 && in_row(u.shift) > units + units / 8) --u.shift;
    }
    u.in_row = static_cast<std::uint32_t>(in_row(u.shift));
  }
  u.by_in_row = reciprocal_of(u.in_row), u.by_tile_rows = reciprocal_of(u.tile_rows);
  return u;
}
// of so many rows
constexpr index_t indices_of_map(map_units const& u, index_t rows, index_t tiled_rows) {
  index_t const in_row = u.in_row;
  return u.tiled ? rows / tiled_rows * u.tile_rows * in_row * indices_of_tile : rows * in_row;
}

}  // namespace ricci::exec
