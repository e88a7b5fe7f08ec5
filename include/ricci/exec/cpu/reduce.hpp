// Reductions. Two ways, by what the innermost loop is:
//  * it is reduced: a row becomes one number, in blocks whose partial results are combined pairwise;
//  * it is kept: whole rows are combined into the result's row (reduce_columns.hpp).
// The tree of combinations depends on the sizes alone, never on the number of threads, so results are equal bit for
// bit; and with its height grows the rounding error, not with the number of elements.
#pragma once

#include <bit>

#include <ricci/exec/cpu/reduce_columns.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Elements of a row that are added up before anything is paired: fewer where it is one after another.
inline constexpr index_t block_length = RICCI_HAS_XSIMD || RICCI_VECTOR_LANES ? 4096 : 512;

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
