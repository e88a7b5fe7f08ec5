// Steps that go row by row as one kernel: softmax, layer norms, losses of rows and their gradients. A team of threads
// has a row and goes through it step by step. Rows that are read are copied into memory of the block first, and what a
// step leaves for another stays there (row_locals.hpp), as far as they fit; what does not is found where the plan put
// it.
#pragma once

#include <ricci/exec/device/numbers.hpp>
#include <ricci/exec/device/row_part.hpp>
#include <ricci/exec/device/row_places.hpp>
#include <ricci/exec/device/steps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// `Kept`: loops that count the rows.
template <int Kept, class Indices, class... Step>
struct row_program;
template <int Kept, int... I, class... Step>
struct row_program<Kept, std::integer_sequence<int, I...>, Step...> : row_part<I, Step>... {
  // bytes for what a warp has of what is reduced
  static constexpr int share = [] {
    int most = 0;
    ((most = row_part<I, Step>::share > most ? row_part<I, Step>::share : most), ...);
    return (most + 15) / 16 * 16;
  }();
  int team, team_bits, threads;
  int rows;          // fewer than 2^31
  int extent[Kept];  // of the kept loops
  bool is_near;      // rows are found by 32 bits
  row_copies copies;

#if RICCI_CALLS_CUDA
  __device__ void operator()(index_t block, int thread, char* memory) const {
    row_of_team<Kept> row;
    row.team = team, row.lane = thread & (team - 1), row.of_block = thread >> team_bits;
    unsigned const number = static_cast<unsigned>(block) * static_cast<unsigned>(threads >> team_bits) +
                            static_cast<unsigned>(row.of_block);
    row.any = number < static_cast<unsigned>(rows);
    row.find(row.any ? number : 0, extent);
    char* const mine = memory + threads / 32 * share + row.of_block * copies.row_bytes;
    row.shares = memory, row.memory = device_backend::address_of_any_memory(mine);
    if (row.any) copy<true>(row, mine);
    device_backend::wait_for_copies();
    row.wait();
    (static_cast<row_part<I, Step> const&>(*this).run(row), ...);
    if (row.any) copy<false>(row, mine);
  }

 private:
  template <bool In>
  __device__ void copy(row_of_team<Kept> const& row, char* mine) const {
    RICCI_ONE_BY_ONE
    for (int k = In ? 0 : copies.in; k < (In ? copies.in : copies.all); ++k) {
      row_copy const& c = copies.copy[k];
      char* const p = row.moved(c.p, c.stride, 1);
      if constexpr (In)
        device_backend::copy_into_block(mine + c.place, p, c.bytes, c.unit, row.lane, team);
      else
        device_backend::copy_out_of_block(p, mine + c.place, c.bytes, c.unit, row.lane, team);
    }
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
struct row_group_as {
  using indices = std::make_integer_sequence<int, int(sizeof...(Step))>;
  using program = row_program<Kept, indices, Step...>;
  template <int... I>
  static void put_one(std::integer_sequence<int, I...>, program& p, int part, device_geometry const& g,
                      device_call const& c) {
    ((I == part && !static_cast<row_part<I, Step>&>(p).put(g, c) ? void(p.is_near = false) : void()), ...);
  }
  static void put(void* to, int part, device_geometry const& g, device_call const& c) {
    program& p = *static_cast<program*>(to);
    index_t const rows = product_of(g, 0, g.kept);
    p.rows = rows < most_rows ? static_cast<int>(rows) : -1;
    if (part == 0) p.is_near = true;
    for (int l = 0; l < Kept; ++l) p.extent[l] = static_cast<int>(g.extent[l]);
    put_one(indices{}, p, part, g, c);
  }
  static bool fits(void const* from, index_t longest) {
    program const& p = *static_cast<program const*>(from);
    return p.rows > 0 && p.is_near && longest > 0 && longest < most_bytes_of_row / 16 &&
           grid_of_reduction(most_threads_of_rows, false, p.rows, 1, longest).parts() == 1;
  }
  template <int... I>
  static void place_all(std::integer_sequence<int, I...>, program& p, int const* place) {
    (static_cast<row_part<I, Step>&>(p).put_places(place), ...);
  }
  static void launch([[maybe_unused]] void* from, [[maybe_unused]] row_layout const& layout,
                     [[maybe_unused]] int const* place, [[maybe_unused]] int device) {
#if RICCI_CALLS_CUDA
    program& p = *static_cast<program*>(from);
    p.team = layout.team, p.threads = layout.threads, p.copies = layout.copies;
    p.team_bits = shift_of(p.team);
    place_all(indices{}, p, place);
    index_t const teams = p.threads / p.team;
    device_backend::for_each_block_of_rows(device, quotient_up(p.rows, teams), p.threads,
                                           p.threads / 32 * program::share + int(teams) * p.copies.row_bytes, p);
#endif
  }
  static constexpr row_group_type type{int(sizeof(program)), program::share, &put, &fits, &launch};
};

// Those of a plan.
template <class P>
struct row_groups {
  static constexpr auto schedule = row_schedule_of<P>();
  static constexpr int count = schedule.groups;

  static constexpr auto locals = [] {
    table<row_locals, count> t{};
    for (int g = 0; g < count; ++g) {
      int steps[most_row_steps]{};
      for (int i = 0; i < schedule.count[g]; ++i) steps[i] = schedule.step(g, i);
      t.at[g] = locals_of_rows(P::plan, steps, schedule.count[g], schedule.kept[g]);
    }
    return t;
  }();
  // Of step I of group G: bits of its operands, those that may lie in memory of the block, or be numbers of the call.
  static constexpr std::uint64_t bits_of(int g, int number, bool local) {
    int at = 0;
    for (int k = 0; k < number; ++k) at += P::plan.kernels[P::plan.steps[schedule.step(g, k)].kernel].slots;
    auto const& step = P::plan.steps[schedule.step(g, number)];
    std::uint64_t bits = 0;
    for (int slot = 0; slot < P::plan.kernels[step.kernel].slots; ++slot) {
      bool const is_number = is_number_of_call(P::plan, P::plan.operands[step.first_operand + slot]);
      if (local ? locals.at[g].of[at + slot] >= 0 : is_number) bits |= std::uint64_t(1) << slot;
    }
    return bits;
  }
  template <int G, int I, int Step = schedule.step(G, I)>
  using step_of = row_step<typename kernel::lowered<P, P::plan.steps[Step].kernel>::type,
                           (P::plan.steps[Step].loops > schedule.kept[G]), bits_of(G, I, true), bits_of(G, I, false)>;
  template <int G, int... I>
  static constexpr row_group_type const* type_of(std::integer_sequence<int, I...>) {
    return &row_group_as<schedule.kept[G], step_of<G, I>...>::type;
  }
  template <int... G>
  static constexpr auto types_of(std::integer_sequence<int, G...>) {
    return table<row_group_type const*, count>{{type_of<G>(std::make_integer_sequence<int, schedule.count[G]>{})...}};
  }
  static constexpr auto types = types_of(std::make_integer_sequence<int, count>{});
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
  void put(int group, int part, device_geometry& g, device_call const& c, plan::operand_t const* operands) {
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
    groups::types.at[group]->put(program_, part, g, c);
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
