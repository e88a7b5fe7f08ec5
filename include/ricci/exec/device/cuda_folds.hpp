// Folds that give one result, as argmax, under CUDA: threads of a block share a row, blocks share one of few long rows,
// and a second kernel joins what they found. How they are dealt depends on extents alone.
#pragma once

#include <ricci/exec/device/core_routine.hpp>
#include <ricci/exec/device/cuda_teams.hpp>
#include <ricci/exec/device/reduce_grid.hpp>
#include <ricci/ops/fold.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// Whether neighbouring cores lie closer together than the elements of one.
inline bool cores_are_columns(device_geometry const& g, int slot) {
  if (g.kept == 0 || g.extent[g.kept - 1] < 8) return false;
  index_t const across = g.stride[g.kept - 1][slot], along = g.stride[g.kept][slot];
  return (across < 0 ? -across : across) < (along < 0 ? -along : along);
}

// A state that any set of elements has, not only a stretch: so threads side by side take elements side by side.
template <class Op>
inline constexpr bool joins_sets = requires {
  requires Op::joins_sets;
};
template <class Op, class H>
__device__ H joined_states(H const& a, H const& b) {
  if constexpr (joins_sets<Op>)
    return static_cast<H>(Op::join_sets(a, b));
  else
    return static_cast<H>(Op::join(a, b));
}

// A block of `threads` has threads / team teams; each folds one of `parts` parts of one core.
struct fold_grid {
  int team;
  bool columns;  // cores lie side by side: so do threads of neighbouring teams
  index_t cores, length, parts;
  int shift = 0;  // of 1, to `team`
  reciprocal by_cores{};
  parts_of_length split{};
  static constexpr int threads_shift = 8, threads = 1 << threads_shift;

  constexpr int teams() const { return threads / team; }
  constexpr index_t blocks() const { return quotient_up(cores * parts, teams()); }
};
constexpr fold_grid grid_of_fold(bool columns, index_t cores, index_t length, index_t element_bytes, bool sets,
                                 bool split = true) {
  constexpr index_t shortest = 16;  // less for a thread is not worth another part
  constexpr int most = fold_grid::threads;
  auto const larger = [](int a, int b) { return a > b ? a : b; };
  int const whole = power_of_two(length, most);
  int team = power_of_two(length / 32, most);
  if (sets && !columns)  // packs of 16 bytes, of which two are a sector of memory
    team = larger(larger(team, power_of_two(length / 16, 32)), 2);
  else if (!columns)
    team = larger(team, power_of_two(32 / element_bytes, 32));
  team = team > whole ? whole : team;
  while (team < whole && cores < enough_threads / team) team *= 2;
  if (columns) {
    int const side = most / power_of_two(cores, split ? 32 : 8);
    team = team < side ? team : side;
  }
  fold_grid g{team, columns, cores, length, 1};
  g.shift = shift_of(team), g.by_cores = reciprocal_of(cores), g.split = {length, 1};
  if (!split || cores == 0) return g;
  index_t const busy = enough_threads / (cores < enough_threads / team ? cores * team : enough_threads),
                long_enough = length / (team * shortest);
  index_t const parts = busy < long_enough ? busy : long_enough;
  g.parts = parts > 1 ? parts : 1;
  g.split = {length, g.parts};
  return g;
}

// What the threads of each team have, to the first of them, in their order; `distance` between those of a team, of
// which the first `used` have something.
template <class Op, class H>
__device__ void join_teams(H* shared, int team, index_t used, int distance, int thread, int lane) {
  for (int step = 1; step < team; step *= 2) {
    __syncthreads();
    if ((lane & (2 * step - 1)) == 0 && lane + step < used)
      shared[thread] = joined_states<Op>(shared[thread], shared[thread + step * distance]);
  }
}

template <class Op, class T>
struct fold_parts {
  using state = decltype(Op::template start<T>());
  using X = calls::array_t<Op, T, 0>;
  using R = calls::array_t<Op, T, 1>;
  static constexpr int threads = fold_grid::threads, shared_bytes = threads * int(sizeof(state));
  static constexpr int at_once = sizeof(X) <= 4 ? 8 : 4;  // loads that do not wait for one another
  device_step<2, 0> s;
  int batch;
  fold_grid g;
  state* partial;  // by part and core; null: there is one part, the result

  __device__ void operator()(index_t block, int thread, char* memory) const {
    int const teams = threads >> g.shift, across = fold_grid::threads_shift - g.shift;
    int const lane = g.columns ? thread >> across : thread & (g.team - 1);
    int const mine = g.columns ? thread & (teams - 1) : thread >> g.shift;
    index_t const unit = block * teams + mine;
    bool const any = unit < g.cores * g.parts;
    index_t const part = any && partial ? g.by_cores.quotient(unit) : 0, core = any ? unit - part * g.cores : 0;
    auto const at = s.at(core, 0, batch);
    state h = Op::template start<T>();
    index_t const begin = g.split.begin(part), end = g.split.begin(part + 1);
    if (any) {
      if constexpr (!joins_sets<Op>)
        walk(h, at.to[0], begin + part_begin(end - begin, lane, g.team),
             begin + part_begin(end - begin, lane + 1, g.team), 1);
      else if (width > 1 && s.stride[batch][0] == index_t(sizeof(X)))
        walk_packs(h, at.to[0], begin, end, lane);
      else
        walk(h, at.to[0], begin + lane, end, g.team);
    }
    auto* const shared = reinterpret_cast<state*>(memory);
    bool in_warps = false;
    if constexpr (joins_sets<Op>)
      if (!g.columns) {
        in_warps = true;
        // of any set of elements, so in any order, which is the same every time
        h = joined_by_team(h, g.team, shared, thread, [](state a, state const& b) { return joined_states<Op>(a, b); });
      }
    if (!in_warps) {
      shared[thread] = h;
      join_teams<Op>(shared, g.team, end - begin, g.columns ? teams : 1, thread, lane);
    }
    if (lane != 0 || !any) return;
    if (!in_warps) h = shared[thread];
    if (partial)
      partial[unit] = h;
    else
      *reinterpret_cast<R*>(at.to[1]) = static_cast<R>(Op::result(h));
  }

 private:
  static constexpr int width = sizeof(X) < 16 ? 16 / int(sizeof(X)) : 1;  // elements of a pack
  struct alignas(16) pack {
    X element[width];
  };
  // Elements begin, ..., end - 1 of a row: what lies before packs, packs, what lies behind. Each thread takes its own
  // in their order.
  __device__ void walk_packs(state& h, char const* row, index_t begin, index_t end, int lane) const {
    constexpr index_t size = sizeof(X);
    char const* const p = row + begin * size;
    index_t const n = end - begin,
                  before = (width - static_cast<index_t>(reinterpret_cast<std::uintptr_t>(p) / size % width)) % width,
                  head = before < n ? before : n, packs = (n - head) / width;
    auto const take_one = [&](index_t k) {
      h = static_cast<state>(Op::next(h, begin + k, *reinterpret_cast<X const*>(p + k * size)));
    };
    auto const take = [&](pack const& x, index_t k) {
      for (int j = 0; j < width; ++j) h = static_cast<state>(Op::next(h, begin + head + k * width + j, x.element[j]));
    };
    for (index_t k = lane; k < head; k += g.team) take_one(k);
    pack const* const all = reinterpret_cast<pack const*>(p + head * size);
    index_t k = lane;
    for (; k + g.team < packs; k += 2 * g.team) {
      pack const x = all[k], y = all[k + g.team];
      take(x, k);
      take(y, k + g.team);
    }
    if (k < packs) take(all[k], k);
    for (index_t j = head + packs * width + lane; j < n; j += g.team) take_one(j);
  }
  __device__ void walk(state& h, char const* row, index_t k, index_t end, int by) const {
    index_t const stride = s.stride[batch][0], step = by * stride;
    char const* p = row + k * stride;
    for (; k + (at_once - 1) * by < end; k += at_once * by, p += at_once * step) {
      X x[at_once];
      for (int j = 0; j < at_once; ++j) x[j] = *reinterpret_cast<X const*>(p + j * step);
      for (int j = 0; j < at_once; ++j) h = static_cast<state>(Op::next(h, k + j * by, x[j]));
    }
    for (; k < end; k += by, p += step) h = static_cast<state>(Op::next(h, k, *reinterpret_cast<X const*>(p)));
  }
};
// Of each core its parts.
template <class Op, class T>
struct fold_of_parts {
  using state = decltype(Op::template start<T>());
  using R = calls::array_t<Op, T, 1>;
  static constexpr int threads = fold_grid::threads, shared_bytes = threads * int(sizeof(state));
  device_step<2, 0> s;
  int batch;
  fold_grid g;
  state const* partial;

  __device__ void operator()(index_t block, int thread, char* memory) const {
    int const teams = threads >> g.shift, lane = thread >> (fold_grid::threads_shift - g.shift);
    index_t const core = block * teams + (thread & (teams - 1));
    bool const any = core < g.cores;
    state h = Op::template start<T>();
    if (any)
      for (index_t k = part_begin(g.length, lane, g.team); k < part_begin(g.length, lane + 1, g.team); ++k)
        h = joined_states<Op>(h, partial[k * g.cores + core]);
    auto* const shared = reinterpret_cast<state*>(memory);
    shared[thread] = h;
    join_teams<Op>(shared, g.team, g.length, teams, thread, lane);
    if (lane == 0 && any)
      *reinterpret_cast<R*>(s.at(core, 0, batch).to[1]) = static_cast<R>(Op::result(shared[thread]));
  }
};

template <class Op>
concept fold_of_stretches = requires {
  { Op::gives } -> std::convertible_to<fold_gives>;
  requires Op::gives == fold_gives::last;
};
template <class Op, class T>
requires fold_of_stretches<Op>
struct device_routine<Op, T> {
  static void run(device_geometry& g, device_call const& c) {
    using state = decltype(Op::template start<T>());
    static_assert(sizeof(state) <= 64, "a fold's state is small: a block has those of its threads");
    index_t const cores = product_of(g, 0, g.kept), length = g.extent[g.kept];
    if (cores == 0) return;
    fold_grid const grid = grid_of_fold(cores_are_columns(g, 0), cores, length, index_t(sizeof(T)), joins_sets<Op>);
    auto const partial = grid.parts > 1 ? device_array<state>(cores * grid.parts, c.device) : device_array<state>();
    auto const s = passed<2, 0>(g, c);
    device_backend::for_each_block(c.device, grid.blocks(),
                                   fold_parts<Op, T>{s, g.kept, grid, grid.parts > 1 ? partial.data() : nullptr});
    if (grid.parts == 1) return;
    fold_grid const rest = grid_of_fold(true, cores, grid.parts, index_t(sizeof(state)), joins_sets<Op>, false);
    device_backend::for_each_block(c.device, rest.blocks(), fold_of_parts<Op, T>{s, g.kept, rest, partial.data()});
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
