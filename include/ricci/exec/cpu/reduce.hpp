// Reductions. Two ways, by what the innermost loop is:
//  * it is reduced: a row becomes one number, in blocks whose partial results are combined pairwise;
//  * it is kept: whole rows are combined into the result's row, which stays in the L1 cache; many rows again in blocks.
// The tree of combinations depends on the sizes alone, never on the number of threads, so results are equal bit for
// bit; and with its height grows the rounding error, not with the number of elements.
#pragma once

#include <bit>

#include <ricci/exec/cpu/map.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

using plan::max_sinks;

// Elements of a row that are added up before anything is paired: fewer where it is one after another.
inline constexpr index_t block_length = RICCI_HAS_XSIMD || RICCI_VECTOR_LANES ? 4096 : 512;
inline constexpr index_t rows_per_block = 64;
inline constexpr index_t strip_bytes = RICCI_SMALL_STACK ? 512 : 4096;

// One number for every sink of a kernel.
struct partial {
  core::any_element of[max_sinks];
};

// Combines what it is given as a binary tree: results of equally many parts meet, like carries in a counter.
class pairing {
 public:
  explicit pairing(kernel_info const& kernel) : kernel_(kernel) {}

  RICCI_NOINLINE void push(partial r) {
    int l = 0;
    for (std::uint64_t c = count_; c & 1; c >>= 1) join(level_[l++], r);
    level_[l] = r;
    ++count_;
  }
  RICCI_NOINLINE partial result() const {
    partial r;
    if (count_ == 0) {
      for (int k = 0; k < kernel_.sink_count; ++k)
        if (kernel_.sinks[k].reduction) kernel_.sinks[k].reduction->identity(r.of[k]);
      return r;
    }
    int l = std::countr_zero(count_);
    r = level_[l++];
    for (; count_ >> l; ++l)
      if (count_ >> l & 1) join(level_[l], r);
    return r;
  }

 private:
  // right becomes left with right
  void join(partial left, partial& right) const {
    for (int k = 0; k < kernel_.sink_count; ++k)
      if (kernel_.sinks[k].over_row) {
        kernel_.sinks[k].reduction->combine(left.of[k], right.of[k]);
        right.of[k] = left.of[k];
      }
  }
  kernel_info const& kernel_;
  std::uint64_t count_ = 0;
  partial level_[RICCI_SMALL_STACK ? 24 : 48];
};

RICCI_INLINE void write_results(kernel_info const& kernel, partial const& r, char* const* p) {
  for (int k = 0; k < kernel.sink_count; ++k)
    if (kernel.sinks[k].over_row) kernel.sinks[k].reduction->write(p[kernel.sinks[k].slot], r.of[k]);
}

// Whether nothing that follows changes anything: one true element says all of `any`.
RICCI_INLINE bool is_settled(kernel_info const& kernel, partial const& r) {
  reduction_info const* const only = kernel.sink_count == 1 ? kernel.sinks[0].reduction : nullptr;
  return only && only->settled && only->settled(r.of[0]);
}

// How the reduced loops are divided into blocks: a row into several, or several short rows into one.
struct reduced_blocks {
  index_t per_row, together;  // blocks of a row; rows of a block, along the loop before the innermost one
  index_t groups, count;      // blocks along that loop; all of them
};
RICCI_INLINE reduced_blocks blocks_of(geometry const& g) {
  int const inner = g.loops - 1, outer = inner - 1;
  index_t const n = g.extent[inner], per_row = (n + block_length - 1) / block_length;
  if (!runs_of_rows || per_row != 1 || outer < g.kept) return {per_row, 1, 0, product_of(g, g.kept, inner) * per_row};
  // what falls into one lane is added one after another: no more of it than in a block of one row
  index_t const together = n < 4 ? block_length / 16 : block_length / 4 / n;
  if (together <= 1) return {per_row, 1, 0, product_of(g, g.kept, inner)};
  index_t const groups = (g.extent[outer] + together - 1) / together;
  return {1, together, groups, product_of(g, g.kept, outer) * groups};
}
// Blocks [from, to) of the elements that the reduced loops run over from p on.
RICCI_NOINLINE inline partial reduce_blocks(kernel_info const& kernel, geometry const& g, char* const* p, index_t from,
                                            index_t to) {
  reduced_blocks const blocks = blocks_of(g);
  bool const of_rows = blocks.together > 1;
  int const inner = g.loops - 1, last = of_rows ? inner - 1 : inner;
  index_t const n = g.extent[inner], each = of_rows ? blocks.groups : blocks.per_row;
  pairing tree(kernel);
  odometer at(g);
  at.point(g, p);
  if (from < to) at.seek(g, g.kept, last, from / each);
  for (index_t b = from < to ? from % each : 0; from < to; ++from) {
    partial r;
    if (of_rows) {
      index_t const row = b * blocks.together, left = g.extent[last] - row;
      char* q[max_slots];
      for (int k = 0; k < g.slots; ++k) q[k] = at.p[k] + row * g.stride[last][k];
      kernel.block(q, g.scalars, 0, n, g.stride[inner], r.of, left < blocks.together ? left : blocks.together,
                   g.stride[last]);
    } else {
      index_t const begin = b * block_length, end = begin + block_length < n ? begin + block_length : n;
      kernel.block(at.p, g.scalars, begin, end, g.stride[inner], r.of, 1, nullptr);
    }
    if (is_settled(kernel, r)) return r;
    tree.push(r);
    if (++b == each) b = 0, at.next(g, g.kept, last);
  }
  return tree.result();
}

// The results of kept combinations [from, to).
RICCI_NOINLINE inline void reduce_rows(kernel_info const& kernel, geometry const& g, index_t from, index_t to) {
  int const inner = g.loops - 1;
  index_t const n = g.extent[inner], count = blocks_of(g).count;
  if (product_of(g, g.kept, inner) == 1 && n > 0 && n <= block_length)
    return for_rows<true>(g, g.p, 0, g.kept, from, to, [&](char* const* p, index_t rows, index_t const* down) {
      kernel.block(p, g.scalars, 0, n, g.stride[inner], nullptr, rows, down);
    });
  odometer at(g);
  at.seek(g, 0, g.kept, from);
  for (; from < to; ++from) {
    write_results(kernel, reduce_blocks(kernel, g, at.p, 0, count), at.p);
    at.next(g, 0, g.kept);
  }
}

// One result by several threads: each makes whole subtrees of the same tree.
RICCI_NOINLINE inline void reduce_in_parallel(kernel_info const& kernel, geometry const& g, char* const* p,
                                              index_t count) {
  index_t per_chunk = 1;
  while (count / per_chunk > 64) per_chunk *= 2;
  index_t const chunks = (count + per_chunk - 1) / per_chunk;
  partial results[129];
  parallel_for(g.threads, chunks, [&](index_t k) {
    index_t const end = (k + 1) * per_chunk;
    results[k] = reduce_blocks(kernel, g, p, k * per_chunk, end < count ? end : count);
  });
  pairing tree(kernel);
  for (index_t k = 0; k < chunks; ++k) tree.push(results[k]);
  write_results(kernel, tree.result(), p);
}

// The innermost loop is reduced (or, with no loop left, there is one element).
inline void run_reduce_rows(kernel_info const& kernel, geometry& g) {
  if (g.loops == 0) {
    g.loops = 1;
    g.extent[0] = 1;
    for (int k = 0; k < g.slots; ++k) g.stride[0][k] = 0;
  }
  index_t const n = g.extent[g.loops - 1], kept = product_of(g, 0, g.kept), rows = product_of(g, g.kept, g.loops - 1);
  if (is_alone(g.threads, kept * rows * n)) return reduce_rows(kernel, g, 0, kept);
  if (kept >= 2 * g.threads)
    return parallel_parts(g.threads, kept, [&](index_t from, index_t to) { reduce_rows(kernel, g, from, to); });
  odometer at(g);
  for (index_t k = 0; k < kept; ++k) {
    reduce_in_parallel(kernel, g, at.p, blocks_of(g).count);
    at.next(g, 0, g.kept);
  }
}

// ---- whole rows into a row ----

// Operands of a strip of columns, with their strides along it.
struct strip {
  char* p[max_slots];
  index_t stride[max_slots];
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
// Reduced combinations [from, to) into the rows of the strip; 64^level of them are one step.
RICCI_NOINLINE inline void reduce_into_strip(kernel_info const& kernel, geometry const& g, strip const& s, index_t from,
                                             index_t to, int level, index_t n) {
  int const first = g.kept - 1, last = g.loops - 1;
  if (level == 0) {
    return for_rows<false>(g, s.p, first, last, from, to, [&](char* const* p, index_t rows, index_t const* down) {
      kernel.row(p, g.scalars, n, s.stride, rows, down);
    });
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

// Rows of few columns, one behind the other in all operands: several of them are one row, whose parts meet in the end.
// False where it is not so. What is divided among threads has more columns, so that it does not depend on these.
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
  for (int k = 0; k < g.slots; ++k)
    if (s.p[k] == base[k] && g.stride[over][k] != n * g.stride[inner][k]) return false;
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

// ---- over loops that show at run time ----

// Operand 0 is reduced over the loops along which operand 1, the result, stands still. Puts the loops in order; true
// where the innermost one is kept.
RICCI_COLD inline bool order_open_loops(geometry& g) {
  geometry const from = g;
  auto const is_reduced = [&](int l) { return from.stride[l][1] == 0; };
  int inner = from.loops - 1;
  while (inner >= 0 && from.extent[inner] == 1) --inner;
  bool const inner_kept = inner >= 0 && !is_reduced(inner);
  g.loops = g.kept = 0;
  auto const add = [&](int l) { g.extent[g.loops] = from.extent[l], g.stride[g.loops++] = from.stride[l]; };
  for (int reduced = 0; reduced < 2; ++reduced) {
    for (int l = 0; l <= inner; ++l)
      if (from.extent[l] != 1 && is_reduced(l) == (reduced == 1) && !(inner_kept && l == inner)) add(l);
    if (reduced == 0) g.kept = g.loops;
  }
  if (inner_kept) add(inner), ++g.kept;
  return inner_kept;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
