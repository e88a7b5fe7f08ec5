// Steps that go row by row as one kernel: softmax, layer norms, losses of rows and their gradients. A team of threads
// has a row and goes through it step by step; what a step leaves of a row it finds where the plan put it, which is in
// cache by then.
#pragma once

#include <ricci/exec/device/row_schedule.hpp>
#include <ricci/exec/device/steps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <int I, class Code>
struct row_part {
  device_step<element_of_kernel<Code>::slots, Code::scalars, group_loops> s;
};
template <class Indices, class... Code>
struct row_program;
template <int... I, class... Code>
struct row_program<std::integer_sequence<int, I...>, Code...> : row_part<I, Code>... {
  static constexpr int threads = 128;
  static constexpr int shared_bytes = [] {
    int most = 16;
    ((most = int(sizeof(typename element_of_kernel<Code>::values)) > most
                 ? int(sizeof(typename element_of_kernel<Code>::values))
                 : most),
     ...);
    return most * threads;
  }();
  int kept, team;
  index_t rows;

#if RICCI_CALLS_CUDA
  __device__ void operator()(index_t block, int thread, char* memory) const {
    index_t const row = block * (threads / team) + thread / team;
    (run<Code>(static_cast<row_part<I, Code> const&>(*this).s, row, thread, memory), ...);
  }

 private:
  template <class C, class S>
  __device__ void run(S const& s, index_t row, int thread, [[maybe_unused]] char* memory) const {
    using element = element_of_kernel<C>;
    bool const any = row < rows;
    int const lane = thread & (team - 1);
    index_t const inner = s.loops > kept ? s.extent[kept] : 1;
    auto const start = s.at(any ? row : 0, 0, kept);
    auto at = start;
    index_t step[element::room];
    for (int slot = 0; slot < element::slots; ++slot) {
      index_t const stride = s.loops > kept ? s.stride[kept][slot] : 0;
      at.to[slot] += lane * stride;
      step[slot] = team * stride;
    }
    if constexpr (element::reducing > 0) {
      using values = typename element::values;
      values total = values::identity();
      if (any)
        for (index_t k = lane; k < inner; k += team) {
          total.add(element::store_and_value(at.to, s.scalars));
          for (int slot = 0; slot < element::slots; ++slot) at.to[slot] += step[slot];
        }
      auto* const shared = reinterpret_cast<values*>(memory);
      shared[thread] = total;
      combine_teams(shared, team, 1, thread, lane);
      if (any && lane == 0) shared[thread].write(start.to);
    } else if (any) {
      for (index_t k = lane; k < inner; k += team) {
        element::store(at.to, s.scalars);
        for (int slot = 0; slot < element::slots; ++slot) at.to[slot] += step[slot];
      }
    }
    __syncthreads();
  }
#endif
};

// The same without the types of its kernels.
struct row_group_type {
  int bytes;
  void (*put)(void* program, int part, device_geometry const& g, device_call const& c);
  // false where rows are few and long, so that blocks share them
  bool (*fits)(void const* program, index_t longest);
  void (*launch)(void* program, index_t longest, int device);
};
template <class... Code>
struct row_group_as {
  using indices = std::make_integer_sequence<int, int(sizeof...(Code))>;
  using program = row_program<indices, Code...>;
  static reduction_grid grid(program const& p, index_t longest) {
    return grid_of_reduction(program::threads, false, p.rows, 1, longest);
  }
  template <int I, class C>
  static void put_part(program& p, device_geometry const& g, device_call const& c) {
    static_cast<row_part<I, C>&>(p).s = passed<element_of_kernel<C>::slots, C::scalars, group_loops>(g, c);
  }
  template <int... I>
  static void put_one(std::integer_sequence<int, I...>, program& p, int part, device_geometry const& g,
                      device_call const& c) {
    ((I == part ? put_part<I, Code>(p, g, c) : void()), ...);
  }
  static void put(void* to, int part, device_geometry const& g, device_call const& c) {
    program& p = *static_cast<program*>(to);
    p.kept = g.kept, p.rows = product_of(g, 0, g.kept);
    put_one(indices{}, p, part, g, c);
  }
  static bool fits(void const* from, index_t longest) {
    program const& p = *static_cast<program const*>(from);
    return p.rows > 0 && longest > 0 && grid(p, longest).parts() == 1;
  }
  static void launch([[maybe_unused]] void* from, [[maybe_unused]] index_t longest, [[maybe_unused]] int device) {
#if RICCI_CALLS_CUDA
    program& p = *static_cast<program*>(from);
    p.team = grid(p, longest).team;
    index_t const teams = program::threads / p.team;
    device_backend::for_each_block(device, p.rows / teams + (p.rows % teams != 0), p);
#endif
  }
  static constexpr row_group_type type{int(sizeof(program)), &put, &fits, &launch};
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
    if (g.loops > g.kept && g.extent[g.kept] > longest_) longest_ = g.extent[g.kept];
    for (int slot = 0; slot < g.slots; ++slot) {
      operand_[count] = &operands[slot];
      range[count++] = accessed_by(g, slot, size_of(operands[slot].type), operands[slot].written);
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
    return groups::types.at[group]->fits(program_, longest_);
  }
  void launch(int group, int device) { groups::types.at[group]->launch(program_, longest_, device); }

  accessed_bytes range[most_row_operands];
  int count = 0;

 private:
  using groups = row_groups<P>;
  alignas(16) char program_[groups::bytes];
  plan::operand_t const* operand_[most_row_operands];
  index_t longest_ = 1;
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
