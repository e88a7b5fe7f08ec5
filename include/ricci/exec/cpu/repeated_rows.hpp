// Short rows beside one that is the same for all of them, as (h, w, 3) beside (3,): several of them are one longer row,
// for which the other one is repeated in memory of its own.
#pragma once

#include <cstring>

#include <ricci/exec/cpu/parallel.hpp>
#include <ricci/exec/cpu/row.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Rows of at most so many elements, as so many elements at a time, beside at most so many that stay.
inline constexpr index_t longest_repeated_row = 32, elements_of_repeated_rows = 256, least_repeated_rows = 8;
inline constexpr int most_repeated_operands = RICCI_SMALL_STACK ? 1 : 4;

// `bytes` bytes, so many times
inline void repeat_bytes(char* to, char const* from, index_t bytes, index_t times) {
  std::memcpy(to, from, std::size_t(bytes));
  for (index_t done = bytes, all = bytes * times; done < all;) {
    index_t const next = done < all - done ? done : all - done;
    std::memcpy(to + done, to, std::size_t(next));
    done += next;
  }
}

// The operands that stay the same from row to row of the second innermost loop.
struct repeated_operands {
  int slot[most_repeated_operands];
  int count = 0;
};
// Which these are, of rows that lie side by side; -1 of them where an operand neither stays nor goes on from the end of
// one row to the next. (What a kernel reduces to is not asked.)
inline repeated_operands repeated_operands_of(kernel_info const& kernel, geometry const& g) {
  int const inner = g.loops - 1, over = inner - 1;
  repeated_operands found;
  for (int k = 0; k < g.slots; ++k) {
    index_t const along = g.stride[inner][k], down = g.stride[over][k];
    if (down == g.extent[inner] * along) continue;
    bool fits = along != 0 && down == 0 && found.count < most_repeated_operands, is_reduced = false;
    for (int i = 0; i < kernel.sink_count; ++i)
      if (kernel.sinks[i].slot == k) fits = false, is_reduced = kernel.sinks[i].reduction != nullptr;
    for (int i = 0; i < kernel.strided_count; ++i) fits = fits && kernel.strided[i].slot != k;
    if (is_reduced) continue;
    if (!fits) return {{}, -1};
    found.slot[found.count++] = k;
  }
  return found;
}

// A kernel that stores such rows; false, and nothing done, where they are none.
RICCI_NOINLINE inline bool map_repeated_rows(kernel_info const& kernel, geometry const& g) {
  int const inner = g.loops - 1, over = inner - 1;
  if (over < 0 || g.extent[inner] > longest_repeated_row || g.extent[over] < least_repeated_rows) return false;
  repeated_operands const same = repeated_operands_of(kernel, g);
  if (same.count <= 0) return false;
  index_t const n = g.extent[inner], rows = g.extent[over], fit = elements_of_repeated_rows / n;
  index_t const together = fit < rows ? fit : rows, units = (rows + together - 1) / together;
  index_t down[max_slots];
  for (int k = 0; k < g.slots; ++k) down[k] = together * g.stride[over][k];
  auto const part = [&](index_t from, index_t to) {
    alignas(64) char memory[most_repeated_operands][elements_of_repeated_rows * largest_element];
    char const* repeated[most_repeated_operands] = {};
    odometer at(g);
    at.seek(g, 0, over, from / units);
    for (index_t unit = from % units; from < to; unit = 0, at.next(g, 0, over)) {
      index_t const units_here = units - unit < to - from ? units - unit : to - from, first_row = unit * together;
      index_t const rows_left = rows - first_row,
                    rows_here = units_here * together < rows_left ? units_here * together : rows_left;
      char* p[max_slots];
      for (int k = 0; k < g.slots; ++k) p[k] = at.p[k] + first_row * g.stride[over][k];
      for (int k = 0; k < same.count; ++k) {
        char*& row = p[same.slot[k]];
        if (repeated[k] != row) repeat_bytes(memory[k], row, n * g.stride[inner][same.slot[k]], together);
        repeated[k] = row, row = memory[k];
      }
      index_t const whole = rows_here / together, left = rows_here % together;
      if (whole > 0) kernel.row(p, g.scalars, together * n, nullptr, whole, down);
      if (left > 0) {
        for (int k = 0; k < g.slots; ++k) p[k] += whole * down[k];
        kernel.row(p, g.scalars, left * n, nullptr, 1, nullptr);
      }
      from += units_here;
    }
  };
  index_t const all_units = product_of(g, 0, over) * units;
  if (is_alone(g.threads, all_units * together * n))
    part(0, all_units);
  else
    parallel_parts(g.threads, all_units, part);
  return true;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
