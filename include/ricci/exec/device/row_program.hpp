// Steps that go row by row as one kernel: softmax, layer norms, losses of rows and their gradients. A team of threads
// has a row and goes through it step by step. Rows that are read are copied into memory of the block first, and what a
// step leaves for another stays there (row_locals.hpp), as far as they fit; what does not is found where the plan put
// it.
#pragma once

#include <ricci/exec/device/line.hpp>
#include <ricci/exec/device/row_places.hpp>
#include <ricci/exec/device/steps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <int I, class Code>
struct row_part {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars, group_loops> s;
  int place[element::room];        // in the memory of a row; -1: the operand lies in memory of the device
  bool is_aligned[element::room];  // so that packs of it may be accessed there
  bool packed;
};
template <class Indices, class... Code>
struct row_program;
template <int... I, class... Code>
struct row_program<std::integer_sequence<int, I...>, Code...> : row_part<I, Code>... {
  // bytes for a thread's share of what is reduced
  static constexpr int share = [] {
    int most = 0;
    ((most = element_of_kernel<Code>::reducing > 0 && int(sizeof(typename element_of_kernel<Code>::values)) > most
                 ? int(sizeof(typename element_of_kernel<Code>::values))
                 : most),
     ...);
    return (most + 15) / 16 * 16;
  }();
  int kept, team, threads;
  index_t rows;
  index_t extent[group_loops];  // of the kept loops
  row_copies copies;

#if RICCI_CALLS_CUDA
  __device__ void operator()(index_t block, int thread, char* memory) const {
    int const of_block = thread / team, lane = thread & (team - 1);
    index_t const row = block * (threads / team) + of_block;
    char* const mine = memory + threads * share + of_block * copies.row_bytes;
    if (row < rows) copy<true>(row, mine, lane);
    device_backend::wait_for_copies();
    wait_for_team();
    (run<Code>(static_cast<row_part<I, Code> const&>(*this), row, thread, memory, mine), ...);
    if (row < rows) copy<false>(row, mine, lane);
  }

 private:
  __device__ void wait_for_team() const {
    if (team <= 32)
      __syncwarp();
    else
      __syncthreads();
  }
  template <bool In>
  __device__ void copy(index_t row, char* mine, int lane) const {
    RICCI_ONE_BY_ONE
    for (int k = In ? 0 : copies.in; k < (In ? copies.in : copies.all); ++k) {
      row_copy const& c = copies.copy[k];
      char* p = c.p;
      index_t n = row;
      RICCI_ONE_BY_ONE
      for (int l = kept - 1; l >= 0; --l) {
        index_t const rest = l > 0 ? n / extent[l] : 0;
        p += (n - rest * extent[l]) * c.stride[l];
        n = rest;
      }
      if constexpr (In)
        device_backend::copy_into_block(mine + c.place, p, c.bytes, c.unit, lane, team);
      else
        device_backend::copy_out_of_block(p, mine + c.place, c.bytes, c.unit, lane, team);
    }
  }
  // not inline: with several steps in one function nvcc 13.0 crashes, two times of three at a gradient of softmax
  template <class C, class Part>
  __device__ RICCI_NOINLINE void run(Part const& part, index_t row, int thread, [[maybe_unused]] char* memory,
                                     char* mine) const {
    using element = element_of_kernel<C>;
    using values = typename element::values;
    auto const& s = part.s;
    bool const any = row < rows;
    int const lane = thread & (team - 1);
    index_t const inner = s.loops > kept ? s.extent[kept] : 1;
    auto at = s.at(any ? row : 0, 0, kept);
    line_of<C> line;
    line.scalars = s.scalars;
    for (int slot = 0; slot < element::slots; ++slot) {
      if (part.place[slot] >= 0) at.to[slot] = mine + part.place[slot];
      line.at[slot] = at.to[slot];
      line.unit[slot] = s.loops > kept ? s.stride[kept][slot] : 0;
    }
    values total = values::identity();
    if (any) {
      index_t begin = 0;
      if constexpr (element::width > 1)
        if (part.packed) {
          line.template run<element::width>(total, lane, inner / element::width, team);
          begin = inner / element::width * element::width;
        }
      line.template run<1>(total, begin + lane, inner, team);
    }
    if constexpr (element::reducing > 0) {
      auto* const shared = reinterpret_cast<values*>(memory);
      shared[thread] = total;
      combine_teams(shared, team, 1, thread, lane);
      if (any && lane == 0) shared[thread].write(at.to);
    }
    wait_for_team();
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
template <class... Code>
struct row_group_as {
  using indices = std::make_integer_sequence<int, int(sizeof...(Code))>;
  using program = row_program<indices, Code...>;
  template <int I, class C>
  static void put_part(program& p, device_geometry const& g, device_call const& c) {
    using element = element_of_kernel<C>;
    row_part<I, C>& part = p;
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
    ((I == part ? put_part<I, Code>(p, g, c) : void()), ...);
  }
  static void put(void* to, int part, device_geometry const& g, device_call const& c) {
    program& p = *static_cast<program*>(to);
    p.kept = g.kept, p.rows = product_of(g, 0, g.kept);
    for (int l = 0; l < g.kept; ++l) p.extent[l] = g.extent[l];
    put_one(indices{}, p, part, g, c);
  }
  static bool fits(void const* from, index_t longest) {
    program const& p = *static_cast<program const*>(from);
    return p.rows > 0 && longest > 0 && grid_of_reduction(most_threads_of_rows, false, p.rows, 1, longest).parts() == 1;
  }
  template <int I, class C>
  static void place_part(program& p, int const*& place) {
    using element = element_of_kernel<C>;
    row_part<I, C>& part = p;
    part.packed = element::width > 1;
    for (int slot = 0; slot < element::slots; ++slot) {
      part.place[slot] = *place++;
      part.packed = part.packed && (part.place[slot] >= 0 || part.is_aligned[slot]);
    }
  }
  template <int... I>
  static void place_all(std::integer_sequence<int, I...>, program& p, int const* place) {
    (place_part<I, Code>(p, place), ...);
  }
  static void launch([[maybe_unused]] void* from, [[maybe_unused]] row_layout const& layout,
                     [[maybe_unused]] int const* place, [[maybe_unused]] int device) {
#if RICCI_CALLS_CUDA
    program& p = *static_cast<program*>(from);
    p.team = layout.team, p.threads = layout.threads, p.copies = layout.copies;
    place_all(indices{}, p, place);
    index_t const teams = p.threads / p.team;
    device_backend::for_each_block_of_rows(device, p.rows / teams + (p.rows % teams != 0), p.threads,
                                           p.threads * program::share + int(teams) * p.copies.row_bytes, p);
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
    return &row_group_as<typename kernel::lowered<P, P::plan.steps[schedule.first[G] + I].kernel>::type...>::type;
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
