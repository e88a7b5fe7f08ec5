// Steps that go row by row as one kernel: softmax, layer norms, losses of rows and their gradients. A team of threads
// has a row and goes through it step by step. Rows that are read are copied into memory of the block first, and what a
// step leaves for another stays there (row_locals.hpp), as far as they fit; what does not is found where the plan put
// it.
#pragma once

#include <ricci/exec/device/row_line.hpp>
#include <ricci/exec/device/row_places.hpp>
#include <ricci/exec/device/steps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// What a step does with one row. `Moves`: it has a loop along rows, else it is one element for each.
template <int I, class Code, bool Moves>
struct row_part {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars, group_loops> s;
  int place[element::room];        // in the memory of a row; -1: the operand lies in memory of the device
  bool is_aligned[element::room];  // so that packs of it may be accessed there
  bool packed;
};
template <class Code, bool Moves>
struct row_step;
// `Kept`: loops that count the rows.
template <int Kept, class Indices, class... Step>
struct row_program;
template <int Kept, int... I, class... Code, bool... Moves>
struct row_program<Kept, std::integer_sequence<int, I...>, row_step<Code, Moves>...> : row_part<I, Code, Moves>... {
  // bytes for what a warp has of what is reduced
  static constexpr int share = [] {
    int most = 0;
    ((most = element_of_kernel<Code>::reducing > 0 && int(sizeof(typename element_of_kernel<Code>::values)) > most
                 ? int(sizeof(typename element_of_kernel<Code>::values))
                 : most),
     ...);
    return (most + 15) / 16 * 16;
  }();
  static constexpr int bytes_of_shares(int threads) { return threads / 32 * share; }
  int team, threads;
  int rows;          // fewer than 2^31
  int extent[Kept];  // of the kept loops
  row_copies copies;

#if RICCI_CALLS_CUDA
  __device__ void operator()(index_t block, int thread, char* memory) const {
    row_of_team at;
    at.lane = thread & (team - 1);
    int const of_block = thread / team;
    index_t const row = block * (threads / team) + of_block;
    at.any = row < rows;
    at.find(at.any ? static_cast<unsigned>(row) : 0, extent);
    at.thread = thread, at.team = team;
    at.shares = memory;
    at.memory = memory + bytes_of_shares(threads) + of_block * copies.row_bytes;
    if (at.any) copy<true>(at);
    device_backend::wait_for_copies();
    at.wait();
    (run<I, Code, Moves>(at), ...);
    if (at.any) copy<false>(at);
  }

 private:
  struct row_of_team {
    int lane, thread, team;
    bool any;
    unsigned number[Kept];  // of the row, in each of the loops
    char *shares, *memory;

    __device__ void find(unsigned n, int const* extent) {
      for (int l = Kept - 1; l > 0; --l) {
        unsigned const of = static_cast<unsigned>(extent[l]), rest = n / of;
        number[l] = n - rest * of;
        n = rest;
      }
      number[0] = n;
    }
    __device__ void wait() const {
      if (team <= 32)
        __syncwarp();
      else
        __syncthreads();
    }
  };
  template <bool In>
  __device__ void copy(row_of_team const& at) const {
    RICCI_ONE_BY_ONE
    for (int k = In ? 0 : copies.in; k < (In ? copies.in : copies.all); ++k) {
      row_copy const& c = copies.copy[k];
      char* p = c.p;
      for (int l = 0; l < Kept; ++l) p += at.number[l] * c.stride[l];
      if constexpr (In)
        device_backend::copy_into_block(at.memory + c.place, p, c.bytes, c.unit, at.lane, team);
      else
        device_backend::copy_out_of_block(p, at.memory + c.place, c.bytes, c.unit, at.lane, team);
    }
  }
  template <int N, class C, bool Moving>
  __device__ void run(row_of_team const& at) const {
    using element = element_of_kernel<C>;
    using values = typename element::values;
    row_part<N, C, Moving> const& part = *this;
    auto const& s = part.s;
    row_line<C> line;
    for (int slot = 0; slot < element::slots; ++slot) {
      char* p = s.is_number >> slot & 1 ? const_cast<char*>(s.numbers[slot].bytes) : s.p[slot];
      for (int l = 0; l < Kept; ++l) p += at.number[l] * s.stride[l][slot];
      line.at[slot] = part.place[slot] >= 0 ? at.memory + part.place[slot] : p;
      line.unit[slot] = Moving ? s.stride[Kept][slot] : 0;
    }
    values total = values::identity();
    if constexpr (!Moving) {
      if (at.any && at.lane == 0) line.template run<1>(total, s.scalars, 0, 1, 1);
    } else if (at.any) {
      int const inner = static_cast<int>(s.extent[Kept]);
      int begin = 0;
      if constexpr (element::width > 1)
        if (part.packed) {
          line.template run<element::width>(total, s.scalars, at.lane, inner / element::width, team);
          begin = inner / element::width * element::width;
        }
      line.template run<1>(total, s.scalars, begin + at.lane, inner, team);
    }
    if constexpr (element::reducing > 0) {
      total = total_of_team(total, team, reinterpret_cast<values*>(at.shares), at.thread);
      if (at.any && at.lane == 0) total.write(line.at);
    }
    at.wait();
  }
#endif
};

// The same without the types of its kernels.
struct row_group_type {
  int bytes, share;
  void (*put)(void* program, int part, device_geometry const& g, device_call const& c);
  // false where rows are few and long, so that blocks share them
  bool (*fits)(void const* program, index_t longest);
  // `place`: of all slots of all parts, one after another; -1: none
  void (*launch)(void* program, row_layout const& layout, int const* place, int device);
};
template <int Kept, class... Step>
struct row_group_as;
template <int Kept, class... Code, bool... Moves>
struct row_group_as<Kept, row_step<Code, Moves>...> {
  using indices = std::make_integer_sequence<int, int(sizeof...(Code))>;
  using program = row_program<Kept, indices, row_step<Code, Moves>...>;
  template <int I, class C, bool Moving>
  static void put_part(program& p, device_geometry const& g, device_call const& c) {
    using element = element_of_kernel<C>;
    row_part<I, C, Moving>& part = p;
    part.s = passed<element::slots, C::scalars, group_loops>(g, c);
    for (int slot = 0; slot < element::slots; ++slot) {
      index_t const pack = element::pack_bytes(slot);
      bool aligned = pack > 0 && reinterpret_cast<std::uintptr_t>(g.p[slot]) % static_cast<std::uintptr_t>(pack) == 0;
      for (int l = 0; l < g.kept && aligned; ++l) aligned = g.extent[l] <= 1 || g.stride[l][slot] % pack == 0;
      part.is_aligned[slot] = aligned || pack == 0;
    }
  }
  template <int... I>
  static void put_one(std::integer_sequence<int, I...>, program& p, int part, device_geometry const& g,
                      device_call const& c) {
    ((I == part ? put_part<I, Code, Moves>(p, g, c) : void()), ...);
  }
  static void put(void* to, int part, device_geometry const& g, device_call const& c) {
    program& p = *static_cast<program*>(to);
    index_t const rows = product_of(g, 0, g.kept);
    p.rows = rows < most_rows ? static_cast<int>(rows) : -1;
    for (int l = 0; l < Kept; ++l) p.extent[l] = static_cast<int>(g.extent[l]);
    put_one(indices{}, p, part, g, c);
  }
  static bool fits(void const* from, index_t longest) {
    program const& p = *static_cast<program const*>(from);
    return p.rows > 0 && longest > 0 && longest < most_bytes_of_row / 16 &&
           grid_of_reduction(most_threads_of_rows, false, p.rows, 1, longest).parts() == 1;
  }
  template <int I, class C, bool Moving>
  static void place_part(program& p, int const*& place) {
    using element = element_of_kernel<C>;
    row_part<I, C, Moving>& part = p;
    part.packed = element::width > 1;
    for (int slot = 0; slot < element::slots; ++slot) {
      part.place[slot] = *place++;
      part.packed = part.packed && (part.place[slot] >= 0 || part.is_aligned[slot]);
    }
  }
  template <int... I>
  static void place_all(std::integer_sequence<int, I...>, program& p, int const* place) {
    (place_part<I, Code, Moves>(p, place), ...);
  }
  static void launch([[maybe_unused]] void* from, [[maybe_unused]] row_layout const& layout,
                     [[maybe_unused]] int const* place, [[maybe_unused]] int device) {
#if RICCI_CALLS_CUDA
    program& p = *static_cast<program*>(from);
    p.team = layout.team, p.threads = layout.threads, p.copies = layout.copies;
    place_all(indices{}, p, place);
    index_t const teams = p.threads / p.team;
    device_backend::for_each_block_of_rows(device, p.rows / teams + (p.rows % teams != 0), p.threads,
                                           program::bytes_of_shares(p.threads) + int(teams) * p.copies.row_bytes, p);
#endif
  }
  static constexpr row_group_type type{int(sizeof(program)), program::share, &put, &fits, &launch};
};

// Those of a plan.
template <class P>
struct row_groups {
  static constexpr auto schedule = row_schedule_of<P>();
  static constexpr int count = schedule.groups;

  template <int G, int... I>
  static constexpr row_group_type const* type_of(std::integer_sequence<int, I...>) {
    constexpr int kept = schedule.kept[G];
    return &row_group_as<kept, row_step<typename kernel::lowered<P, P::plan.steps[schedule.first[G] + I].kernel>::type,
                                        (P::plan.steps[schedule.first[G] + I].loops > kept)>...>::type;
  }
  template <int... G>
  static constexpr auto types_of(std::integer_sequence<int, G...>) {
    return table<row_group_type const*, count>{{type_of<G>(std::make_integer_sequence<int, schedule.count[G]>{})...}};
  }
  static constexpr auto types = types_of(std::make_integer_sequence<int, count>{});
  static constexpr auto locals = [] {
    table<row_locals, count> t{};
    for (int g = 0; g < count; ++g)
      t.at[g] = locals_of_rows(P::plan, schedule.first[g], schedule.count[g], schedule.kept[g]);
    return t;
  }();
  static constexpr int bytes = [] {
    int most = 0;
    for (int g = 0; g < count; ++g) most = types.at[g]->bytes > most ? types.at[g]->bytes : most;
    return most;
  }();
};

// The steps of a group before they are launched, and what they access.
template <class P>
class rows_of_call {
 public:
  void put(int group, int number, device_geometry& g, device_call const& c, plan::operand_t const* operands) {
    g.kept = groups::schedule.kept[group];
    found_.kept = g.kept;
    for (int l = 0; l < g.kept; ++l) found_.extent[l] = g.extent[l];
    if (g.loops > g.kept && g.extent[g.kept] > found_.longest) found_.longest = g.extent[g.kept];
    for (int slot = 0; slot < g.slots; ++slot) {
      index_t const size = size_of(operands[slot].type);
      if (int const local = groups::locals.at[group].of[count]; local >= 0)
        local_[local].note(g, slot, size, (c.is_number >> slot & 1) != 0);
      operand_[count] = &operands[slot];
      range[count++] = accessed_by(g, slot, size, operands[slot].written);
    }
    groups::types.at[group]->put(program_, number - groups::schedule.first[group], g, c);
  }
  // Arguments and results that the plan takes for different ones have to be apart: of the others it knows that rows do
  // not meet.
  bool may_launch(int group) const {
    auto const is_other = [](plan::operand_t const& x, plan::operand_t const& y) {
      return x.where != y.where || (x.where != plan::home::workspace && x.index != y.index);
    };
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < a; ++b)
        if (is_other(*operand_[a], *operand_[b]) && !range[a].is_apart_from(range[b])) return false;
    return groups::types.at[group]->fits(program_, found_.longest);
  }
  void launch([[maybe_unused]] int group, [[maybe_unused]] int device) {
#if RICCI_CALLS_CUDA
    row_group_type const& type = *groups::types.at[group];
    row_locals const& locals = groups::locals.at[group];
    row_layout layout;
    int place_of_local[most_row_locals], place[most_row_operands];
    lay_out_rows(layout, place_of_local, locals, local_, found_, type.share,
                 device_backend::most_memory_of_block(device));
    for (int k = 0; k < count; ++k) place[k] = locals.of[k] < 0 ? -1 : place_of_local[locals.of[k]];
    type.launch(program_, layout, place, device);
#endif
  }

  accessed_bytes range[most_row_operands];
  int count = 0;

 private:
  using groups = row_groups<P>;
  alignas(16) char program_[groups::bytes];
  plan::operand_t const* operand_[most_row_operands];
  found_local local_[most_row_locals];
  rows_found found_{0, {}, 1};
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
