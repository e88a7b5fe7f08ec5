// The loops around the rows of a kernel that stores: all but the innermost, counted without a division.
#pragma once

#include <ricci/exec/cpu/parallel.hpp>
#include <ricci/exec/cpu/repeated_rows.hpp>
#include <ricci/exec/cpu/row.hpp>
#include <ricci/exec/cpu/tiles.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t short_run = 16, longest_run_across = 64;

// Combinations [from, to) of loops [first, last), whose operands start at `start`, in runs along the last of them:
// `f(p, rows, down)`, where from each row to the next operands move `down` bytes. InAnyOrder: where that loop is short,
// runs go along the one before it, for as many combinations at a time as caches hold.
template <bool InAnyOrder, class F>
RICCI_INLINE void for_rows(geometry const& g, char* const* start, int first, int last, index_t from, index_t to,
                           F const& f) {
  if constexpr (!runs_of_rows) {
    odometer at(g);
    at.point(g, start);
    at.seek(g, first, last, from);
    for (; from < to; ++from) {
      f(at.p, 1, nullptr);
      at.next(g, first, last);
    }
    return;
  }
  bool const any = last > first;
  int const outer = any ? last - 1 : first;
  index_t const rows = any && g.extent[outer] > 0 ? g.extent[outer] : 1;
  odometer at(g);
  at.point(g, start);
  at.seek(g, first, outer, from / rows);
  char* p[max_slots];
  for (index_t row = from % rows; from < to; row = 0) {
    if (InAnyOrder && rows < short_run && row == 0 && outer > first) {
      int const across = outer - 1;
      index_t const left = g.extent[across] - at.count[across], whole = (to - from) / rows;
      index_t const most = left < whole ? left : whole, n = most < longest_run_across ? most : longest_run_across;
      if (n > rows) {
        for (index_t r = 0; r < rows; ++r) {
          for (int k = 0; k < g.slots; ++k) p[k] = at.p[k] + r * g.stride[outer][k];
          f(p, n, g.stride[across]);
        }
        from += n * rows;
        at.count[across] += n - 1;
        for (int k = 0; k < g.slots; ++k) at.p[k] += (n - 1) * g.stride[across][k];
        at.next(g, first, outer);
        continue;
      }
    }
    index_t const n = rows - row < to - from ? rows - row : to - from;
    for (int k = 0; k < g.slots; ++k) p[k] = at.p[k] + (any ? row * g.stride[outer][k] : 0);
    f(p, n, any ? g.stride[outer] : nullptr);
    from += n;
    at.next(g, first, outer);
  }
}

// Outer combinations [from, to), elements [first, last) of every row.
RICCI_NOINLINE inline void map_rows(kernel_info const& kernel, geometry const& g, index_t from, index_t to,
                                    index_t first, index_t last) {
  int const inner = g.loops - 1;
  char* start[max_slots];
  for (int k = 0; k < g.slots; ++k) start[k] = g.p[k] + first * g.stride[inner][k];
  for_rows<true>(g, start, 0, inner, from, to, [&](char* const* p, index_t rows, index_t const* down) {
    kernel.row(p, g.scalars, last - first, nullptr, rows, down);
  });
}
// The same in tiles; `from` and `to` count blocks of tile_rows rows of the second innermost loop.
RICCI_NOINLINE inline void map_tiles(kernel_info const& kernel, geometry const& g, index_t from, index_t to,
                                     index_t first, index_t last) {
  int const inner = g.loops - 1, depth = inner > 0 ? inner - 1 : 0;
  index_t const rows = inner > 0 ? g.extent[inner - 1] : 1, blocks = (rows + tile_rows - 1) / tile_rows;
  odometer at(g);
  for (int k = 0; k < g.slots; ++k) at.p[k] += first * g.stride[inner][k];
  at.seek(g, 0, depth, from / blocks);
  char* p[max_slots];
  for (index_t block = from % blocks; from < to; ++from) {
    for (int k = 0; k < g.slots; ++k) p[k] = at.p[k] + (inner > 0 ? block * tile_rows * g.stride[inner - 1][k] : 0);
    index_t const left = rows - block * tile_rows;
    run_tiles(kernel, g, p, left < tile_rows ? left : tile_rows, last - first);
    if (++block == blocks) block = 0, at.next(g, 0, depth);
  }
}

// Rows of a tile are those of the second innermost loop: that is to be the one along which strided operands lie side by
// side, if there is one, so that what a line of the cache holds is read together.
inline void order_tiles(kernel_info const& kernel, geometry& g) {
  int const depth = g.loops - 2;
  auto const side_by_side = [&](int l) {
    int n = 0;
    for (int k = 0; k < kernel.strided_count; ++k) n += g.stride[l][kernel.strided[k].slot] == kernel.strided[k].size;
    return g.extent[l] > 1 ? n : 0;
  };
  int best = depth, most = depth > 0 ? side_by_side(depth) : 0;
  for (int l = depth - 1; l >= 0; --l)
    if (int const n = side_by_side(l); n > most) best = l, most = n;
  if (best == depth) return;
  index_t* const stride = g.stride[best];
  index_t const extent = g.extent[best];
  g.stride[best] = g.stride[depth], g.extent[best] = g.extent[depth];
  g.stride[depth] = stride, g.extent[depth] = extent;
}

// Tiled: operands are strided.
template <bool Tiled>
void run_map(kernel_info const& kernel, geometry& g) {
  if (g.loops == 0) return kernel.row(g.p, g.scalars, 1, nullptr, 1, nullptr);
  if constexpr (Tiled) order_tiles(kernel, g);
  int const inner = g.loops - 1;
  index_t const n = g.extent[inner], all = product_of(g, 0, inner);
  if (all == 0 || n == 0) return;
  if constexpr (!Tiled && runs_of_rows)
    if (n <= longest_repeated_row && map_repeated_rows(kernel, g)) return;
  index_t const rows = Tiled && inner > 0 ? g.extent[inner - 1] : 1;
  index_t const outer = all / rows * ((rows + tile_rows - 1) / tile_rows);
  constexpr auto part = Tiled ? &map_tiles : &map_rows;
  if (is_alone(g.threads, all * n)) return part(kernel, g, 0, outer, 0, n);
  if (outer >= 2 * g.threads || n < parallel_threshold)
    parallel_parts(g.threads, outer, [&](index_t from, index_t to) { part(kernel, g, from, to, 0, n); });
  else
    parallel_parts(
        g.threads, n, [&](index_t from, index_t to) { part(kernel, g, 0, outer, from, to); }, 64);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
