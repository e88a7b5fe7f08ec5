// Reductions whose innermost loop is kept: whole rows are combined into the result's row, which stays in the L1 cache;
// many rows in blocks, whose partial results are combined pairwise. Rows of few elements are combined several at a
// time.
#pragma once

#include <ricci/exec/cpu/map.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

using plan::max_sinks;

inline constexpr index_t rows_per_block = 64;
inline constexpr index_t strip_bytes = RICCI_SMALL_STACK ? 512 : 4096;

// Operands of a strip of columns, with their strides along it: columns of one row of the result, or several short rows
// of it, one behind the other, to the next of which the operands move `down` bytes.
struct strip {
  char* p[max_slots];
  index_t stride[max_slots];
  index_t rows = 1;
  index_t down[max_slots];
};
RICCI_INLINE void fill_strip(kernel_info const& kernel, strip const& s, index_t n) {
  for (int k = 0; k < kernel.sink_count; ++k)
    if (auto const& sink = kernel.sinks[k]; sink.reduction)
      sink.reduction->fill_row(s.p[sink.slot], s.stride[sink.slot], n);
}
// How many columns one has: as many as lie in its memory.
RICCI_INLINE index_t strip_width(kernel_info const& kernel) {
  int largest = 1;
  for (int k = 0; k < kernel.sink_count; ++k)
    if (kernel.sinks[k].size > largest) largest = kernel.sinks[k].size;
  return strip_bytes / largest;
}
// Reduced combinations [from, to) into the strip, which has n columns; 64^level of them are one step.
RICCI_NOINLINE inline void reduce_into_strip(kernel_info const& kernel, geometry const& g, strip const& s, index_t from,
                                             index_t to, int level, index_t n) {
  int const first = g.kept - 1, last = g.loops - 1;
  if (level == 0) {
    index_t const in_row = n / s.rows;
    char* start[max_slots];
    for (int k = 0; k < g.slots; ++k) start[k] = s.p[k];
    for (index_t row = 0;;) {
      for_rows<false>(g, start, first, last, from, to, [&](char* const* p, index_t rows, index_t const* down) {
        kernel.row(p, g.scalars, in_row, s.stride, rows, down);
      });
      if (++row == s.rows) return;
      for (int k = 0; k < g.slots; ++k) start[k] += s.down[k];
    }
  }
  index_t step = 1;
  for (int l = 0; l < level; ++l) step *= rows_per_block;
  alignas(64) char rows[max_sinks][strip_bytes];
  strip part = s;
  int used = 0;
  for (int k = 0; k < kernel.sink_count; ++k)
    if (auto const& sink = kernel.sinks[k]; sink.reduction)
      part.p[sink.slot] = rows[used++], part.stride[sink.slot] = sink.size;
  for (index_t r = from; r < to; r += step) {
    fill_strip(kernel, part, n);
    reduce_into_strip(kernel, g, part, r, r + step < to ? r + step : to, level - 1, n);
    for (int k = 0; k < kernel.sink_count; ++k)
      if (auto const& sink = kernel.sinks[k]; sink.reduction)
        sink.reduction->combine_rows(s.p[sink.slot], s.stride[sink.slot], part.p[sink.slot], part.stride[sink.slot], n);
  }
}
inline int level_of(index_t count) {
  int level = 0;
  for (; count > rows_per_block; count = (count + rows_per_block - 1) / rows_per_block) ++level;
  return level;
}

// Rows of few columns, one behind the other in all operands but those that stay, which are repeated: several of them
// are one row, whose parts meet in the end. False where it is not so. What is divided among threads has more columns,
// so that it does not depend on these.
inline constexpr index_t few_columns_together = 32;
RICCI_NOINLINE inline bool reduce_narrow(kernel_info const& kernel, geometry const& g, char* const* base) {
  int const inner = g.loops - 1, over = inner - 1;
  index_t const n = g.extent[inner];
  if (n > few_columns_together || over < g.kept - 1) return false;
  index_t const rows = g.extent[over], width = strip_width(kernel);
  index_t together = 1;
  while (2 * together * n <= width && 8 * together <= rows) together *= 2;
  if (together < 4) return false;
  index_t down[max_slots];
  geometry h = g;
  strip results, s;
  for (int k = 0; k < g.slots; ++k) {
    results.p[k] = s.p[k] = base[k], results.stride[k] = s.stride[k] = g.stride[inner][k];
    down[k] = together * g.stride[over][k];
  }
  alignas(64) char parts[max_sinks][strip_bytes];
  for (int k = 0; k < kernel.sink_count; ++k) {
    auto const& sink = kernel.sinks[k];
    if (!sink.reduction) return false;
    s.p[sink.slot] = parts[k], s.stride[sink.slot] = sink.size;
  }
  alignas(64) char memory[most_repeated_operands][strip_bytes];
  repeated_operands const same = repeated_operands_of(kernel, g);
  if (same.count < 0) return false;
  for (int k = 0; k < same.count; ++k) {
    int const slot = same.slot[k];
    index_t const bytes = n * g.stride[inner][slot];
    for (int l = g.kept - 1; l < over; ++l)
      if (g.stride[l][slot] != 0) return false;
    if (together * bytes > strip_bytes) return false;
    repeat_bytes(memory[k], base[slot], bytes, together);
    s.p[slot] = memory[k];
  }
  h.stride[over] = down;
  h.extent[over] = rows / together;
  fill_strip(kernel, s, together * n);
  auto const reduce = [&](index_t columns) {
    index_t const count = product_of(h, g.kept - 1, inner);
    reduce_into_strip(kernel, h, s, 0, count, level_of(count), columns);
  };
  reduce(together * n);
  if (index_t const left = rows % together; left > 0) {
    for (int k = 0; k < g.slots; ++k)
      if (s.p[k] == base[k]) s.p[k] += h.extent[over] * down[k];
    h.extent[over] = 1;
    reduce(left * n);
  }
  fill_strip(kernel, results, n);
  for (int k = 0; k < kernel.sink_count; ++k) {
    auto const& [slot, size, over_row, reduction] = kernel.sinks[k];
    for (index_t half = together / 2; half > 0; half /= 2)
      reduction->combine_rows(parts[k], size, parts[k] + half * n * size, size, half * n);
    reduction->combine_rows(results.p[slot], results.stride[slot], parts[k], size, n);
  }
  return true;
}
RICCI_NOINLINE inline void reduce_columns(kernel_info const& kernel, geometry const& g, char* const* base,
                                          index_t first, index_t last) {
  int const inner = g.loops - 1;
  if (first == 0 && last == g.extent[inner] && reduce_narrow(kernel, g, base)) return;
  index_t const count = product_of(g, g.kept - 1, inner), width = strip_width(kernel);
  int level = level_of(count);
  if (kernel.strided_count > 0 && level == 0) level = 1;  // strided results are written once, not in every row
  strip s;
  for (; first < last; first += width) {
    for (int k = 0; k < g.slots; ++k) s.p[k] = base[k] + first * g.stride[inner][k], s.stride[k] = g.stride[inner][k];
    index_t const n = last - first < width ? last - first : width;
    fill_strip(kernel, s, n);
    reduce_into_strip(kernel, g, s, 0, count, level, n);
  }
}

// How many rows of the result are one strip: several where they are shorter than a line of the cache, lie one behind
// the other, and what is read moves less from one to the next than along the loop that is reduced. So what comes with a
// line is read before it is gone.
inline constexpr index_t line_bytes = 64;
RICCI_NOINLINE inline index_t rows_of_strip(kernel_info const& kernel, geometry const& g) {
  int const inner = g.loops - 1, across = g.kept - 2, over = inner - 1;
  index_t const n = g.extent[inner];
  if (across < 0 || over < g.kept - 1 || n == 0 || g.extent[across] == 0 || kernel.strided_count > 0) return 1;
  index_t moves_across = 0, moves_over = 0;
  for (int k = 0; k < kernel.sink_count; ++k) {
    auto const& [slot, size, over_row, reduction] = kernel.sinks[k];
    if (!reduction || n * size >= line_bytes || g.stride[across][slot] != n * size) return 1;
  }
  for (int k = 0; k < g.slots; ++k) {
    bool is_result = false;
    for (int i = 0; i < kernel.sink_count; ++i) is_result = is_result || kernel.sinks[i].slot == k;
    if (is_result) continue;
    index_t const a = g.stride[across][k], o = g.stride[over][k];
    moves_across += a < 0 ? -a : a, moves_over += o < 0 ? -o : o;
  }
  return moves_across < moves_over ? strip_width(kernel) / n : 1;
}
// Strips of such rows [from, to), of which a combination of the outer loops has `strips`.
RICCI_NOINLINE inline void reduce_short_rows(kernel_info const& kernel, geometry const& g, index_t rows, index_t strips,
                                             index_t from, index_t to) {
  int const inner = g.loops - 1, across = g.kept - 2;
  index_t const n = g.extent[inner], count = product_of(g, g.kept - 1, inner);
  odometer at(g);
  at.seek(g, 0, across, from / strips);
  for (; from < to; ++from) {
    index_t const first = from % strips * rows, left = g.extent[across] - first;
    strip s;
    s.rows = left < rows ? left : rows;
    for (int k = 0; k < g.slots; ++k)
      s.down[k] = g.stride[across][k], s.p[k] = at.p[k] + first * s.down[k], s.stride[k] = g.stride[inner][k];
    fill_strip(kernel, s, n * s.rows);
    reduce_into_strip(kernel, g, s, 0, count, level_of(count), n * s.rows);
    if (from % strips == strips - 1) at.next(g, 0, across);
  }
}

// Strips [from, to) of all kept combinations, which have `strips` each.
RICCI_NOINLINE inline void reduce_strips(kernel_info const& kernel, geometry const& g, index_t strips, index_t from,
                                         index_t to) {
  int const inner = g.loops - 1, outer = g.kept - 1;
  index_t const n = g.extent[inner], width = strip_width(kernel);
  odometer at(g);
  at.seek(g, 0, outer, from / (strips > 0 ? strips : 1));
  for (; from < to; ++from) {
    index_t const first = from % strips * width;
    reduce_columns(kernel, g, at.p, first, first + width < n ? first + width : n);
    if (from % strips == strips - 1) at.next(g, 0, outer);
  }
}

// The innermost loop is kept.
inline void run_reduce_columns(kernel_info const& kernel, geometry& g) {
  int const inner = g.loops - 1, outer = g.kept - 1;
  index_t const kept = product_of(g, 0, outer), rows = product_of(g, outer, inner), n = g.extent[inner];
  if (index_t const several = rows_of_strip(kernel, g); several > 1) {
    index_t const each = (g.extent[outer - 1] + several - 1) / several, all = product_of(g, 0, outer - 1) * each;
    auto const part = [&](index_t from, index_t to) { reduce_short_rows(kernel, g, several, each, from, to); };
    return is_alone(g.threads, kept * rows * n) ? part(0, all) : parallel_parts(g.threads, all, part);
  }
  index_t const width = strip_width(kernel), strips = (n + width - 1) / width, all = kept * strips;
  if (is_alone(g.threads, kept * rows * n)) return reduce_strips(kernel, g, strips, 0, all);
  if (all >= 2 * g.threads)
    return parallel_parts(g.threads, all,
                          [&](index_t from, index_t to) { reduce_strips(kernel, g, strips, from, to); });
  // few strips: columns are independent of each other, so any division gives the same result
  odometer at(g);
  for (index_t k = 0; k < kept; ++k, at.next(g, 0, outer))
    parallel_parts(
        g.threads, n, [&](index_t from, index_t to) { reduce_columns(kernel, g, at.p, from, to); }, 32);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
