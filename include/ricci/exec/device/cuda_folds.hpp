// Folds under CUDA whose states may be joined: positions of extrema, and running sums and products. Threads share an
// axis, few long ones are split over blocks; by extents alone, so results are the same every time.
#pragma once

#include <ricci/exec/core_call.hpp>
#include <ricci/exec/device/cuda_reduce.hpp>
#include <ricci/ops/fold.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// ---- positions of extrema ----

template <class Op>
inline constexpr bool finds_extremum = requires {
  typename Op::extremum;
  requires Op::gives == fold_gives::last;
};

// The best of the elements that a thread has seen, in any order: of equal ones, the first.
template <class Op, class T>
struct best_element {
  decltype(Op::template start<T>()) h;
  __device__ void add(best_element const& other) {
    auto const &a = h, &b = other.h;
    bool const same = (a.best == b.best) || (a.best != a.best && b.best != b.best);
    if (same ? b.at < a.at : Op::replaces(b.best, a.best)) h = b;
  }
};
template <class Op, class T>
struct find_extremum {
  using state = best_element<Op, T>;
  static constexpr int threads = 256, shared_bytes = threads * int(sizeof(state));
  device_step<2, 0> s;
  int kept;
  reduction_grid g;
  state* partial;     // by part and segment; null: there is one part, the result
  state const* from;  // those of an earlier kernel, instead of elements; null: none

  __device__ void operator()(index_t block, int thread, char* memory) const {
    int const teams = g.teams();
    int const lane = g.columns ? thread / teams : thread & (g.team - 1);
    index_t const unit = block * teams + (g.columns ? thread & (teams - 1) : thread / g.team);
    bool const any = unit < g.segments * g.parts();
    index_t const part = any && partial ? unit / g.segments : 0, segment = any ? unit - part * g.segments : 0;
    auto const at = s.at(segment, 0, kept);
    state mine{Op::template start<T>()};
    index_t const first = part_begin(g.inner, part, g.inner_parts) + lane,
                  last = part_begin(g.inner, part + 1, g.inner_parts);
    if (any && from)
      for (index_t k = first; k < last; k += g.team) mine.add(from[k * g.segments + segment]);
    if (any && !from) {
      index_t const stride = s.stride[kept][0];
      char const* p = at.to[0] + first * stride;
      index_t const step = g.team * stride;
      index_t k = first;
      for (; k + 3 * g.team < last; k += 4 * g.team, p += 4 * step) {
        T const x0 = *reinterpret_cast<T const*>(p), x1 = *reinterpret_cast<T const*>(p + step),
                x2 = *reinterpret_cast<T const*>(p + 2 * step), x3 = *reinterpret_cast<T const*>(p + 3 * step);
        mine.h = Op::next(mine.h, k, x0);
        mine.h = Op::next(mine.h, k + g.team, x1);
        mine.h = Op::next(mine.h, k + 2 * g.team, x2);
        mine.h = Op::next(mine.h, k + 3 * g.team, x3);
      }
      for (; k < last; k += g.team, p += step) mine.h = Op::next(mine.h, k, *reinterpret_cast<T const*>(p));
    }
    auto* const shared = reinterpret_cast<state*>(memory);
    shared[thread] = mine;
    combine_teams(shared, g.team, g.columns ? teams : 1, thread, lane);
    if (lane != 0 || !any) return;
    if (partial)
      partial[unit] = shared[thread];
    else
      *reinterpret_cast<std::int64_t*>(at.to[1]) = Op::result(shared[thread].h);
  }
};
template <class Op, class T>
void device_extremum(device_geometry& g, device_call const& c) {
  using kernel = find_extremum<Op, T>;
  index_t const segments = product_of(g, 0, g.kept), n = g.extent[g.kept];
  if (segments == 0) return;
  bool const columns = g.kept > 0 && g.extent[g.kept - 1] > 1 && g.stride[g.kept][0] != index_t(sizeof(T)) &&
                       g.stride[g.kept - 1][0] == index_t(sizeof(T));
  reduction_grid const grid = grid_of_reduction(kernel::threads, columns, segments, 1, n);
  auto const s = passed<2, 0>(g, c);
  if (grid.parts() == 1)
    return device_backend::for_each_block(c.device, grid.blocks(), kernel{s, g.kept, grid, nullptr, nullptr});
  device_array<typename kernel::state> const partial(segments * grid.parts(), c.device);
  device_backend::for_each_block(c.device, grid.blocks(), kernel{s, g.kept, grid, partial.data(), nullptr});
  reduction_grid const rest = grid_of_reduction(kernel::threads, true, segments, 1, grid.parts(), false);
  device_backend::for_each_block(c.device, rest.blocks(), kernel{s, g.kept, rest, nullptr, partial.data()});
}

// ---- running sums and products ----

// Scans of one operand whose state is a number, and may be joined.
template <class Op, class T>
concept JoinsNumbers = Op::gives != fold_gives::last&& Op::arity == 1 && requires(T x) {
  { Op::join(x, x) } -> std::same_as<T>;
  { Op::template start<T>() } -> std::same_as<T>;
};

// Of each axis chunks: what each comes to, or, where that is known of those before it, its elements.
template <class Op, class T>
struct scan_chunk {
  static constexpr int threads = 256, each = 4, shared_bytes = threads * int(sizeof(T));
  static constexpr index_t longest = 4 * threads * each;  // of a chunk, where an axis has several
  device_step<2, 1> s;
  int kept, team;
  index_t segments, n, length, chunks;
  bool backwards, gives_total;
  T* totals;  // by segment and chunk; where elements are given, what those before it come to. null: there is one chunk

  __device__ void operator()(index_t block, int thread, char* memory) const {
    auto* const shared = reinterpret_cast<T*>(memory);
    int const lane = thread & (team - 1);
    index_t const unit = block * (threads / team) + thread / team;
    bool const any = unit < segments * chunks;
    index_t const segment = any ? unit / chunks : 0, chunk = any ? unit - segment * chunks : 0;
    auto const at = s.at(segment, 0, kept);
    index_t const begin = chunk * length, end = begin + length < n ? begin + length : n;
    T before = !gives_total && totals && any ? totals[unit] : Op::template start<T>();
    for (index_t tile = begin; tile < begin + length; tile += index_t(team) * each) {
      T x[each];
      T mine = Op::template start<T>();
      index_t const first = tile + index_t(lane) * each;
      for (int j = 0; j < each; ++j) {
        if (any && first + j < end) x[j] = *reinterpret_cast<T const*>(at.to[0] + place(first + j) * s.stride[kept][0]);
        if (any && first + j < end) mine = Op::join(mine, x[j]);
      }
      // what the threads before this one, and all, come to
      shared[thread] = mine;
      __syncthreads();
      T sum = mine;
      for (int far = 1; far < team; far *= 2) {
        T const other = lane >= far ? shared[thread - far] : sum;
        __syncthreads();
        if (lane >= far) shared[thread] = sum = Op::join(other, sum);
        __syncthreads();
      }
      T h = lane > 0 ? Op::join(before, shared[thread - 1]) : before;
      before = Op::join(before, shared[thread - lane + team - 1]);
      __syncthreads();
      if (any && !gives_total)
        for (int j = 0; j < each && first + j < end; ++j) {
          T const next = Op::next(h, first + j, x[j]);
          *reinterpret_cast<T*>(at.to[1] + place(first + j) * s.stride[kept][1]) =
              Op::gives == fold_gives::after ? next : h;
          h = next;
        }
    }
    if (any && gives_total && lane == 0) totals[unit] = before;
  }

 private:
  __device__ index_t place(index_t i) const { return backwards ? n - 1 - i : i; }
};
template <class Op>
struct scan_of_totals : Op {  // what stands before each
  static constexpr fold_gives gives = fold_gives::before;
};
template <class Op>
struct totals_of {
  using scan = scan_of_totals<Op>;
};
template <class Op>
struct totals_of<scan_of_totals<Op>> {
  using scan = scan_of_totals<Op>;
};
template <class Op, class T>
void device_scan_of(device_step<2, 1> const& s, int kept, index_t segments, index_t n, bool backwards, int device) {
  using kernel = scan_chunk<Op, T>;
  bool const one = n <= kernel::longest || segments >= 2048;
  index_t const length = one ? n : kernel::longest, chunks = n / length + (n % length != 0);
  int const team = power_of_two((length + kernel::each - 1) / kernel::each, kernel::threads);
  kernel k{s, kept, team, segments, n, length, chunks, backwards, false, nullptr};
  index_t const units = segments * chunks, teams = kernel::threads / team,
                blocks = units / teams + (units % teams != 0);
  if (one) return device_backend::for_each_block(device, blocks, k);
  device_array<T> const totals(units, device);
  k.totals = totals.data(), k.gives_total = true;
  device_backend::for_each_block(device, blocks, k);
  device_step<2, 1> of_totals{};
  of_totals.loops = 2;
  of_totals.extent[0] = segments, of_totals.extent[1] = chunks;
  for (int slot = 0; slot < 2; ++slot) {
    of_totals.stride[0][slot] = chunks * index_t(sizeof(T)), of_totals.stride[1][slot] = sizeof(T);
    of_totals.p[slot] = reinterpret_cast<char*>(totals.data());
  }
  device_scan_of<typename totals_of<Op>::scan, T>(of_totals, 1, segments, chunks, false, device);
  k.gives_total = false;
  device_backend::for_each_block(device, blocks, k);
}
// false where cores are many and lie side by side, so that one thread each does as well
template <class Op, class T>
bool device_scan(device_geometry& g, device_call const& c) {
  index_t const segments = product_of(g, 0, g.kept), n = g.extent[g.kept];
  if (segments == 0 || n == 0) return true;
  if (n < 32 || (segments >= (index_t(1) << 14) && g.stride[g.kept][0] != index_t(sizeof(T)))) return false;
  device_scan_of<Op, T>(passed<2, 1>(g, c), g.kept, segments, n, g.scalars[0].integer != 0, c.device);
  return true;
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
