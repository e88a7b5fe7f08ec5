// Reductions under CUDA by kernels of the library's own, which also store what a step stores: one pass over the
// operands, and a second one over partial results where few long segments are split.
#pragma once

#include <ricci/exec/device/cuda_teams.hpp>
#include <ricci/exec/device/line.hpp>
#include <ricci/exec/device/maps.hpp>
#include <ricci/exec/device/reduce_grid.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// as many as share 32 KiB
template <std::size_t Bytes>
inline constexpr int threads_of_reduction = Bytes <= 128   ? 256
                                            : Bytes <= 512 ? 64
                                                           : 32;

// What the threads of each team have, to the first of them: halves come together until one is left. Those of a warp
// wait for one another alone.
template <class V>
__device__ void combine_teams(V* shared, int team, int distance, int thread, int lane) {
  for (int half = team / 2; half > 0; half /= 2) {
    if (distance == 1 && half <= 16)
      __syncwarp();
    else
      __syncthreads();
    if (lane < half) shared[thread].add(shared[thread + half * distance]);
  }
}
// Whether packs of elements lie along the rows, and for all operands behind as many elements of a row: where the first
// begins depends on the row.
template <class Code>
bool has_packs_of_rows(device_geometry const& g) {
  using element = element_of_kernel<Code>;
  constexpr index_t width = element::width;
  if (width == 1 || g.extent[g.loops - 1] < 2 * width) return false;
  constexpr int first = element::first_in_packs;
  auto const differs = [](index_t a, index_t b) { return (a - b) % width != 0; };
  auto const place = [&](int slot) {
    return static_cast<index_t>(reinterpret_cast<std::uintptr_t>(g.p[slot])) / (element::pack_bytes(slot) / width);
  };
  for (int slot = 0; slot < element::slots; ++slot) {
    index_t const size = element::pack_bytes(slot) / width;
    if (size == 0) continue;
    if (differs(place(slot), place(first))) return false;
    for (int l = 0; l + 1 < g.loops; ++l)
      if (g.extent[l] > 1 &&
          differs(g.stride[l][slot] / size, g.stride[l][first] / (element::pack_bytes(first) / width)))
        return false;
  }
  return true;
}
// One thread's share of its team's part of a segment, then the team's, then the result. `Rows`: threads of a team lie
// side by side, and the inner loop may be one that packs of elements lie along; else teams do.
template <class Code, bool Rows>
struct reduce_elements {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  static constexpr int threads = threads_of_reduction<sizeof(values)>;
  static constexpr int shared_bytes = (Rows ? threads / 32 : threads) * int(sizeof(values));
  // Few registers where they suffice, for short rows are many blocks. Left alone, ptxas (13.0) makes room for four, and
  // spills registers of loads that are on their way; so it does where large steps are to make room for three.
  static constexpr int fewest_blocks = Rows ? (element::slots <= 2 && element::instructions <= 4 ? 5 : 1) : 0;
  device_step<element::slots, Code::scalars> s;
  int kept;
  reduction_grid g;  // its inner loop counts packs where there are any
  values* partial;   // by part and segment; null: there is one part, the result
  bool packed = false;

  __device__ void operator()(index_t block, int thread, char* memory) const {
    int const shift = g.team_shift, teams = threads >> shift;
    int const lane = Rows ? thread & (g.team - 1) : thread / teams;
    int const mine = Rows ? thread >> shift : thread & (teams - 1);
    index_t const unit = block * teams + mine;
    bool const any = unit < g.segments * g.parts();
    index_t const part = any && partial ? g.by_segments.quotient(unit) : 0,
                  segment = any ? unit - part * g.segments : 0;
    auto const at = s.at(segment, 0, kept);
    values total = values::identity();
    if (any) add_up(total, at, part, lane);
    auto* const shared = reinterpret_cast<values*>(memory);
    if constexpr (Rows) {
      total = total_of_team(total, g.team, shared, thread);
    } else {
      shared[thread] = total;
      combine_teams(shared, g.team, teams, thread, lane);
      total = shared[thread];
    }
    if (lane != 0 || !any) return;
    if (partial)
      partial[unit] = total;
    else
      total.write(at.to);
  }

 private:
  using pointers = typename device_step<element::slots, Code::scalars>::pointers;
  // a part has fewer than 2^31 rows of fewer than 2^31 units (grid_of_reduction)
  __device__ void add_up(values& total, pointers const& start, index_t part, int lane) const {
    index_t const outer_part = g.by_inner_parts.quotient(part), inner_part = part - outer_part * g.inner_parts;
    index_t const first_row = g.outer_split.begin(outer_part), first = g.inner_split.begin(inner_part);
    int const rows = static_cast<int>(g.outer_split.begin(outer_part + 1) - first_row),
              count = static_cast<int>(g.inner_split.begin(inner_part + 1) - first);
    int const at_once = g.team >> g.row_shift;
    RICCI_ONE_BY_ONE
    for (int row = lane >> g.row_shift; row < rows; row += at_once) {
      pointers const begin = g.outer == 1 ? start : s.moved(start, first_row + row, kept, s.loops - 1);
      line_of<Code> line;
      line.scalars = s.scalars;
      for (int slot = 0; slot < element::slots; ++slot) {
        line.at[slot] = begin.to[slot];
        line.unit[slot] = s.loops > kept ? s.stride[s.loops - 1][slot] : 0;
      }
      if constexpr (Rows && element::width > 1)
        if (packed) {
          packs_of_row(total, line, first, count, lane & (g.row - 1), inner_part + 1 == g.inner_parts);
          continue;
        }
      move(line, first);
      line.template run<1, !Rows>(total, lane & (g.row - 1), count, g.row);
    }
  }
  __device__ static void move(line_of<Code>& line, index_t units) {
    for (int slot = 0; slot < element::slots; ++slot) line.at[slot] += units * line.unit[slot];
  }
  // `count` packs from number `first` on, or as many as there are; in the last part also the elements before and behind
  // all packs
  __device__ void packs_of_row(values& total, line_of<Code> const& line, index_t first, int count, int lane,
                               bool is_last) const {
    constexpr int width = element::width, slot = element::first_in_packs;
    int const place = static_cast<int>(reinterpret_cast<std::uintptr_t>(line.at[slot]) /
                                       static_cast<std::uintptr_t>(element::pack_bytes(slot) / width) % width);
    int const head = (width - place) % width;
    index_t const behind = s.extent[s.loops - 1] - head - first * width;  // elements from the first pack on
    line_of<Code> packs = line;
    move(packs, head + first * width);
    packs.template run<width>(total, lane, behind >= count * width ? count : static_cast<int>(behind / width), g.row);
    if (!is_last) return;
    int const tail = static_cast<int>(behind % width);
    RICCI_ONE_BY_ONE
    for (int k = lane; k < head + tail; k += g.row)
      line.add(total, k < head ? k : s.extent[s.loops - 1] - tail + k - head);
  }
};
// Of each segment its parts.
template <class Code>
struct reduce_parts {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  static constexpr int threads = threads_of_reduction<sizeof(values)>;
  static constexpr int shared_bytes = threads * int(sizeof(values));
  static constexpr int at_once = sizeof(values) <= 8 ? 8 : 2;  // loads that do not wait for one another
  device_step<element::slots, Code::scalars> s;
  int kept;
  reduction_grid g;
  values const* partial;

  __device__ void operator()(index_t block, int thread, char* memory) const {
    int const teams = threads >> g.team_shift, lane = thread / teams;
    index_t const segment = block * teams + (thread & (teams - 1));
    bool const any = segment < g.segments;
    values total = values::identity();
    if (any) {
      index_t part = lane;
      for (; part + (at_once - 1) * g.team < g.inner; part += at_once * g.team) {
        values v[at_once];
        for (int k = 0; k < at_once; ++k) v[k] = partial[(part + k * g.team) * g.segments + segment];
        for (int k = 0; k < at_once; ++k) total.add(v[k]);
      }
      for (; part < g.inner; part += g.team) total.add(partial[part * g.segments + segment]);
    }
    auto* const shared = reinterpret_cast<values*>(memory);
    shared[thread] = total;
    combine_teams(shared, g.team, g.columns ? teams : 1, thread, lane);
    if (lane == 0 && any) shared[thread].write(s.at(segment, 0, kept).to);
  }
};

template <class Code, int Variant>
void device_reduce(device_geometry& g, device_call const& c) {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  constexpr int threads = threads_of_reduction<sizeof(values)>;
  bool const any = g.loops > g.kept;
  kept_first(g, Variant == 1);
  merge_loops(g, g.kept, g.loops);
  g.kept = merge_loops(g, 0, g.kept);
  index_t const segments = product_of(g, 0, g.kept), inner = any ? g.extent[g.loops - 1] : 1,
                outer = any ? product_of(g, g.kept, g.loops - 1) : 1;
  if (segments == 0) return;
  bool const packed = Variant == 0 && any && has_packs_of_rows<Code>(g);
  index_t const width = packed ? element::width : 1;
  reduction_grid const grid = grid_of_reduction(threads, Variant == 1, segments, outer, inner / width, true,
                                                packed ? 2 : element::elements_of_sector, packed ? 4 : 8);
  auto const partial =
      grid.parts() > 1 ? device_array<values>(segments * grid.parts(), c.device) : device_array<values>();
  auto const s = passed<element::slots, Code::scalars>(g, c);
  device_backend::for_each_block(
      c.device, grid.blocks(),
      reduce_elements<Code, Variant == 0>{s, g.kept, grid, grid.parts() > 1 ? partial.data() : nullptr, packed});
  if (grid.parts() == 1) return;
  reduction_grid const rest = grid_of_reduction(threads, true, segments, 1, grid.parts(), false);
  device_backend::for_each_block(c.device, rest.blocks(), reduce_parts<Code>{s, g.kept, rest, partial.data()});
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
