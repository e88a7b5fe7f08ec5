// Scans, as cumulative sums, under CUDA, of operations that can join stretches. A team of threads has a row, or one of
// its parts: it brings a tile to the block's memory, each thread walks along its elements there, and what is before
// them comes from a scan of what the threads found. Few long rows have parts: their stretches are found first, and each
// part then joins those before it. Columns are walked along by one thread each, in parts as well. All of it depends on
// extents alone, so results are the same every time; those of floating numbers differ in rounding from those of one
// walk.
#pragma once

#include <ricci/exec/device/cuda_folds.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// Stretches of a scan: what is known of one without what is before it. Of most scans the state of one that begins with
// `start`; where that is not enough, a type of the operation's own (`recurrence_t::stretch`).
template <class Op, class T>
struct stretches_of {
  using state = decltype(Op::template start<T>());
  static constexpr bool own = requires { typename Op::template stretch<T>; };
  static constexpr auto none() {
    if constexpr (own)
      return Op::template no_stretch<T>();
    else
      return Op::template start<T>();
  }
  using type = std::remove_cv_t<decltype(none())>;
  template <class... X>
  __device__ static type next(type const& s, index_t i, X... x) {
    if constexpr (own)
      return Op::next_of_stretch(s, x...);
    else
      return static_cast<type>(Op::next(s, i, x...));
  }
  __device__ static type join(type const& a, type const& b) { return static_cast<type>(Op::join(a, b)); }
  // the state behind a stretch at the start of a row
  __device__ static state after(type const& s) {
    if constexpr (own)
      return static_cast<state>(Op::state_after(s));
    else
      return s;
  }
};

struct scan_grid {
  static constexpr int threads = 256;
  static constexpr index_t enough = 1024;                      // blocks that keep a GPU busy
  static constexpr index_t enough_columns = index_t(1) << 17;  // threads that do, of which each has a column
  int team, items;  // threads of a row or part; elements of a thread in a tile
  bool columns;
  index_t rows, length, parts, part_length;
  constexpr int teams() const { return threads / team; }
  constexpr index_t tile() const { return index_t(team) * items; }
  constexpr index_t blocks() const { return quotient_up(rows * parts, teams()); }
};
constexpr scan_grid grid_of_scan(bool columns, index_t rows, index_t length, int items) {
  scan_grid g{power_of_two(quotient_up(length, items), scan_grid::threads), items, columns, rows, length, 1, length};
  if (rows == 0 || length == 0) return g;
  index_t const unit = columns ? 32 : g.tile();
  index_t const parts = (columns ? scan_grid::enough_columns : scan_grid::enough) / rows,
                most = quotient_up(length, unit);
  if (columns ? parts < 2 : parts < 2 || most < 3) return g;
  g.part_length = quotient_up(most, parts < most ? parts : most) * unit;
  g.parts = quotient_up(length, g.part_length);
  return g;
}
static_assert(grid_of_scan(false, 65536, 256, 16).team == 16 && grid_of_scan(false, 65536, 256, 16).parts == 1);
static_assert(grid_of_scan(false, 1, index_t(1) << 24, 16).parts <= 1024);

template <class Op, class T, class = std::make_integer_sequence<int, Op::arity>>
struct scan_loads;
template <class Op, class T, int... K>
struct scan_loads<Op, T, std::integer_sequence<int, K...>> {
  using over = stretches_of<Op, T>;
  using stretch = typename over::type;
  using state = typename over::state;
  static constexpr int arity = sizeof...(K), slots = arity + 1;
  using X = calls::array_t<Op, T, 0>;  // of all operands
  using R = calls::array_t<Op, T, arity>;
  struct element {
    X x[arity > 0 ? arity : 1];
  };
  __device__ static element load(char* const* at, index_t const* along, index_t i) {
    return {{*reinterpret_cast<X const*>(at[K] + i * along[K])...}};
  }
  __device__ static stretch next(stretch const& s, index_t i, element const& e) { return over::next(s, i, e.x[K]...); }
  // the state behind element i; what the scan gives there
  __device__ static R step(state& h, index_t i, element const& e) {
    auto const next = static_cast<state>(Op::next(h, i, e.x[K]...));
    R const r = static_cast<R>(Op::result(Op::gives == fold_gives::after ? next : h));
    h = next;
    return r;
  }
};

// A team's elements in the block's memory, one of which is left out behind each 128 bytes: so threads side by side read
// different banks.
template <class E>
struct elements_of_tile {
  E* tile;
  int first;
  __device__ E& operator[](int k) const {
    constexpr int line = 128 / int(sizeof(E));
    return tile[first + k + (first + k) / line];
  }
};
template <class Op, class T>
struct scan_rows : scan_loads<Op, T> {
  using loads = scan_loads<Op, T>;
  using over = typename loads::over;
  using stretch = typename loads::stretch;
  using element = typename loads::element;
  using R = typename loads::R;
  static constexpr int threads = scan_grid::threads;
  static constexpr int bytes = int(loads::arity > 0 && sizeof(element) > sizeof(R) ? sizeof(element) : sizeof(R));
  static constexpr int items = bytes <= 4 ? 16 : bytes <= 8 ? 8 : bytes <= 16 ? 4 : 2;
  static constexpr int stretch_bytes = 2 * threads * int(sizeof(stretch));
  static constexpr int shared_bytes = stretch_bytes + threads * items * bytes / 128 * (128 + bytes);
  static_assert(shared_bytes <= 48 * 1024);
  device_step<loads::slots, 1> s;
  int batch;
  scan_grid g;
  bool backwards;
  stretch* partial;  // by row and part
  bool finds;        // the stretches of parts; else the results

  __device__ void operator()(index_t block, int thread, char* memory) const {
    auto* const stretches = reinterpret_cast<stretch*>(memory);
    int const lane = thread & (g.team - 1), first_of_team = thread - lane;
    bool const whole = (block + 1) * g.teams() <= g.rows * g.parts;  // then all teams have as many elements
    char* const tile = memory + stretch_bytes;
    elements_of_tile<element> const in{reinterpret_cast<element*>(tile), first_of_team * items};
    elements_of_tile<R> const out{reinterpret_cast<R*>(tile), first_of_team * items};
    index_t const unit = block * g.teams() + thread / g.team;
    bool const any = unit < g.rows * g.parts;
    index_t const row = any ? unit / g.parts : 0, part = any ? unit - row * g.parts : 0;
    auto at = s.at(row, 0, batch);
    index_t along[loads::slots];
    for (int slot = 0; slot < loads::slots; ++slot) along[slot] = s.stride[batch][slot];
    index_t const begin = any ? part * g.part_length : 0;
    index_t const end = any ? (begin + g.part_length < g.length ? begin + g.part_length : g.length) : 0;
    stretch carry = over::none();
    if (!finds && g.parts > 1) {
      for (index_t k = part_begin(part, lane, g.team); k < part_begin(part, lane + 1, g.team); ++k)
        carry = over::join(carry, partial[row * g.parts + k]);
      stretch before = over::none();
      scan_team(stretches, thread, lane, carry, before);
      __syncthreads();
    }
    index_t const way = backwards ? -1 : 1;
    for (int slot = 0; slot < loads::slots; ++slot) {
      at.to[slot] += (backwards ? g.length - 1 - begin : begin) * along[slot] + way * lane * along[slot];
      along[slot] *= way * g.team;
    }
    for (index_t base = begin, tiles = 0; tiles < g.part_length; base += g.tile(), tiles += g.tile()) {
      int const count = base >= end ? 0 : int(end - base < g.tile() ? end - base : g.tile());
      if (whole && count == int(g.tile()))
        add_tile<true>(at, along, base, count, stretches, thread, lane, in, out, carry);
      else
        add_tile<false>(at, along, base, count, stretches, thread, lane, in, out, carry);
    }
    if (finds && any && lane == 0) partial[unit] = carry;
  }

 private:
  // One tile of each team; `at`: the thread's first elements in it, which then are those in the next one.
  template <bool Full, class Pointers>
  __device__ void add_tile(Pointers& at, index_t const* by, index_t base, int count, stretch* stretches, int thread,
                           int lane, elements_of_tile<element> in, elements_of_tile<R> out, stretch& carry) const {
    if constexpr (loads::arity > 0) {
      char* from[loads::slots];
      for (int slot = 0; slot < loads::slots; ++slot) from[slot] = at.to[slot];
      element read[items];
      for (int j = 0; j < items; ++j) {
        if (Full || lane + j * g.team < count) read[j] = loads::load(from, by, 0);
        for (int slot = 0; slot < loads::arity; ++slot) from[slot] += by[slot];
      }
      for (int j = 0; j < items; ++j)
        if (int const k = lane + j * g.team; Full || k < count) in[k] = read[j];
      wait_for_tile();
    }
    element x[items];
    stretch own = over::none();
    int const first = lane * items;
    for (int j = 0; j < items; ++j)
      if (Full || first + j < count) {
        if constexpr (loads::arity > 0) x[j] = in[first + j];
        own = loads::next(own, base + first + j, x[j]);
      }
    stretch before = over::none();
    scan_team(stretches, thread, lane, own, before);
    if (!finds) {
      auto h = over::after(over::join(carry, before));
      for (int j = 0; j < items; ++j)
        if (Full || first + j < count) out[first + j] = loads::step(h, base + first + j, x[j]);
      wait_for_tile();
      char* to = at.to[loads::arity];
      for (int j = 0; j < items; ++j, to += by[loads::arity])
        if (int const k = lane + j * g.team; Full || k < count) *reinterpret_cast<R*>(to) = out[k];
    }
    carry = over::join(carry, own);
    for (int slot = 0; slot < loads::slots; ++slot) at.to[slot] += items * by[slot];
    __syncthreads();
  }
  __device__ static void wait_for_tile() { __syncthreads(); }
  // The threads of a warp go together.
  __device__ static void wait_for_warp() {
#if defined(__CUDACC__)
    __syncwarp();
#else
    __syncthreads();
#endif
  }
  // `before`: all of the team's before the own one; `own`: all of the team's. First within warps, then over these.
  __device__ void scan_team(stretch* shared, int thread, int lane, stretch& own, stretch& before) const {
    int const warp = g.team < 32 ? g.team : 32, in_warp = lane & (warp - 1);
    int from = 0;
    shared[thread] = own;
    wait_for_warp();
    for (int step = 1; step < warp; step *= 2) {
      stretch const* const read = shared + from;
      from = threads - from;
      shared[from + thread] = in_warp >= step ? over::join(read[thread - step], read[thread]) : read[thread];
      wait_for_warp();
    }
    stretch const* const found = shared + from;
    __syncthreads();
    int const team = thread - lane;
    own = found[team + warp - 1];
    for (int last = 2 * warp - 1; last < g.team; last += warp) {
      if (last < lane) before = over::join(before, found[team + last - warp]);
      own = over::join(own, found[team + last]);
    }
    if (lane >= warp) before = over::join(before, found[team + (lane - in_warp) - 1]);
    if (in_warp > 0) before = lane >= warp ? over::join(before, found[thread - 1]) : found[thread - 1];
  }
};
// One part of one column for an index.
template <class Op, class T>
struct scan_columns : scan_loads<Op, T> {
  using loads = scan_loads<Op, T>;
  using over = typename loads::over;
  using stretch = typename loads::stretch;
  using element = typename loads::element;
  using R = typename loads::R;
  static constexpr int at_once = sizeof(element) <= 4 ? 8 : 4;
  device_step<loads::slots, 1> s;
  int batch;
  scan_grid g;
  bool backwards;
  stretch* partial;  // by part and column
  bool finds;

  __device__ void operator()(index_t unit) const {
    index_t const part = unit / g.rows, column = unit - part * g.rows;
    auto at = s.at(column, 0, batch);
    index_t along[loads::slots];
    for (int slot = 0; slot < loads::slots; ++slot) {
      along[slot] = s.stride[batch][slot];
      if (!backwards) continue;
      at.to[slot] += (g.length - 1) * along[slot];
      along[slot] = -along[slot];
    }
    index_t const begin = part * g.part_length;
    index_t const end = begin + g.part_length < g.length ? begin + g.part_length : g.length;
    stretch before = over::none();
    if (finds) {
      for_each(at.to, along, begin, end, [&](index_t i, element const& e) { before = loads::next(before, i, e); });
      partial[unit] = before;
      return;
    }
    index_t k = 0;
    for (; k + 8 <= part; k += 8) {
      stretch those[8];
      for (int j = 0; j < 8; ++j) those[j] = partial[(k + j) * g.rows + column];
      for (int j = 0; j < 8; ++j) before = over::join(before, those[j]);
    }
    for (; k < part; ++k) before = over::join(before, partial[k * g.rows + column]);
    auto h = over::after(before);
    char* const to = at.to[loads::arity];
    index_t const step = along[loads::arity];
    for_each(at.to, along, begin, end,
             [&](index_t i, element const& e) { *reinterpret_cast<R*>(to + i * step) = loads::step(h, i, e); });
  }

 private:
  // f(i, its elements): some are loaded before the first of them is used
  template <class F>
  __device__ static void for_each(char* const* at, index_t const* along, index_t i, index_t end, F const& f) {
    for (; i + at_once <= end; i += at_once) {
      element e[at_once];
      for (int j = 0; j < at_once; ++j) e[j] = loads::load(at, along, i + j);
      for (int j = 0; j < at_once; ++j) f(i + j, e[j]);
    }
    for (; i < end; ++i) f(i, loads::load(at, along, i));
  }
};

template <class Op>
concept scan_of_elements = requires {
  { Op::gives } -> std::convertible_to<fold_gives>;
  requires Op::gives != fold_gives::last;
};
template <class Op, class T>
concept scan_of_stretches = scan_of_elements<Op> && requires(typename stretches_of<Op, T>::type s) {
  Op::join(s, s);
};
template <class Op, class T>
requires scan_of_stretches<Op, T>
struct device_routine<Op, T> {
  static void run(device_geometry& g, device_call const& c) {
    using rows = scan_rows<Op, T>;
    using stretch = typename rows::stretch;
    index_t const cores = product_of(g, 0, g.kept), length = g.extent[g.kept];
    if (cores == 0 || length == 0) return;
    scan_grid const grid = grid_of_scan(cores_are_columns(g, Op::arity), cores, length, rows::items);
    auto const partial = grid.parts > 1 ? device_array<stretch>(cores * grid.parts, c.device) : device_array<stretch>();
    stretch* const found = grid.parts > 1 ? partial.data() : nullptr;
    auto const s = passed<rows::slots, 1>(g, c);
    bool const backwards = g.scalars[0].integer != 0;
    for (bool finds : {true, false}) {
      if (finds && grid.parts == 1) continue;
      if (grid.columns)
        device_backend::for_each_index(c.device, cores * grid.parts,
                                       scan_columns<Op, T>{{}, s, g.kept, grid, backwards, found, finds});
      else
        device_backend::for_each_block(c.device, grid.blocks(), rows{{}, s, g.kept, grid, backwards, found, finds});
    }
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
