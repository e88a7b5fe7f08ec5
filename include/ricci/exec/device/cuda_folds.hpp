// Folds that give one result, as argmax, under CUDA: threads of a block share a row, blocks share one of few long rows,
// and a second kernel joins what they found. How they are dealt depends on extents alone.
#pragma once

#include <ricci/exec/device/core_routine.hpp>
#include <ricci/exec/device/reduce_grid.hpp>
#include <ricci/ops/fold.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// The operands at core `n`: divisions by 32 bits where these hold it, none for the outermost loop.
template <class Step>
__device__ typename Step::pointers operands_of_core(Step const& s, index_t n, int batch) {
  auto at = s.at(0, 0, 0);
  for (int l = batch - 1; l >= 0; --l) {
    index_t k = n, rest = 0;
    if (l > 0) {
      if (n >> 31 == 0 && s.extent[l] >> 31 == 0)
        rest = index_t(std::uint32_t(n) / std::uint32_t(s.extent[l]));
      else
        rest = n / s.extent[l];
      k = n - rest * s.extent[l];
    }
    for (int slot = 0; slot < Step::room; ++slot) at.to[slot] += k * s.stride[l][slot];
    n = rest;
  }
  return at;
}
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
  static constexpr int threads = 256;

  constexpr int teams() const { return threads / team; }
  constexpr index_t blocks() const {
    index_t const units = cores * parts;
    return units / teams() + (units % teams() != 0);
  }
};
constexpr fold_grid grid_of_fold(bool columns, index_t cores, index_t length, index_t element_bytes,
                                 bool split = true) {
  constexpr index_t enough = index_t(1) << 18;  // threads that keep a GPU busy
  constexpr index_t shortest = 16;              // less for a thread is not worth another part
  constexpr int most = fold_grid::threads;
  int const whole = power_of_two(length, most);
  int team = power_of_two(length / 32, most);
  int const sector = columns ? 1 : power_of_two(32 / element_bytes, 32);  // of memory, 32 bytes
  team = team < sector ? sector : team;
  team = team > whole ? whole : team;
  while (team < whole && cores < enough / team) team *= 2;
  if (columns) {
    int const side = most / power_of_two(cores, 32);
    team = team < side ? team : side;
  }
  fold_grid g{team, columns, cores, length, 1};
  if (!split || cores == 0) return g;
  index_t const busy = enough / (cores < enough / team ? cores * team : enough),
                long_enough = length / (team * shortest);
  index_t const parts = busy < long_enough ? busy : long_enough;
  g.parts = parts > 1 ? parts : 1;
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
    int const teams = g.teams();
    int const lane = g.columns ? thread / teams : thread & (g.team - 1);
    int const mine = g.columns ? thread & (teams - 1) : thread / g.team;
    index_t const unit = block * teams + mine;
    bool const any = unit < g.cores * g.parts;
    index_t const part = any && partial ? unit / g.cores : 0, core = any ? unit - part * g.cores : 0;
    auto const at = operands_of_core(s, core, batch);
    state h = Op::template start<T>();
    index_t const begin = part_begin(g.length, part, g.parts), end = part_begin(g.length, part + 1, g.parts);
    if (any) {
      if constexpr (joins_sets<Op>)
        walk(h, at.to[0], begin + lane, end, g.team);
      else
        walk(h, at.to[0], begin + part_begin(end - begin, lane, g.team),
             begin + part_begin(end - begin, lane + 1, g.team), 1);
    }
    auto* const shared = reinterpret_cast<state*>(memory);
    shared[thread] = h;
    join_teams<Op>(shared, g.team, end - begin, g.columns ? teams : 1, thread, lane);
    if (lane != 0 || !any) return;
    if (partial)
      partial[unit] = shared[thread];
    else
      *reinterpret_cast<R*>(at.to[1]) = static_cast<R>(Op::result(shared[thread]));
  }

 private:
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
    int const teams = g.teams(), lane = thread / teams;
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
      *reinterpret_cast<R*>(operands_of_core(s, core, batch).to[1]) = static_cast<R>(Op::result(shared[thread]));
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
    fold_grid const grid = grid_of_fold(cores_are_columns(g, 0), cores, length, index_t(sizeof(T)));
    auto const partial = grid.parts > 1 ? device_array<state>(cores * grid.parts, c.device) : device_array<state>();
    auto const s = passed<2, 0>(g, c);
    device_backend::for_each_block(c.device, grid.blocks(),
                                   fold_parts<Op, T>{s, g.kept, grid, grid.parts > 1 ? partial.data() : nullptr});
    if (grid.parts == 1) return;
    fold_grid const rest = grid_of_fold(true, cores, grid.parts, index_t(sizeof(state)), false);
    device_backend::for_each_block(c.device, rest.blocks(), fold_of_parts<Op, T>{s, g.kept, rest, partial.data()});
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
