// The plan that a program keeps as a constant.
#pragma once

#include <ricci/transform/plan/plan.hpp>

namespace ricci::plan {

constexpr plan_sizes sizes_of(plan_t const& p) {
  auto const room = [](int n) { return n > 0 ? n : 1; };
  return {room(p.kernel_count),  room(p.register_count), room(p.sink_count),    room(p.step_count),
          room(p.operand_count), room(p.stride_count),   room(p.extent_count),  room(p.scalar_count),
          room(p.buffer_count),  room(p.dim_count),      room(p.guard_count),   room(p.check_count),
          room(p.shape_count),   room(p.output_count),   room(p.argument_count)};
}

template <class>
inline constexpr bool is_plan = false;
template <plan_sizes Room>
inline constexpr bool is_plan<plan_of<Room>> = true;

// (no part of `fitted`, which would be instantiated with it for every plan)
template <class T>
constexpr void copy_first(T* to, T const* from, int n) {
  for (int k = 0; k < n; ++k) to[k] = from[k];
}
// The same plan with room for what is in it and no more.
template <plan_sizes Room>
constexpr plan_of<Room> fitted(plan_t const& p) {
  plan_of<Room> q{};
  q.kernel_count = p.kernel_count, q.register_count = p.register_count, q.sink_count = p.sink_count,
  q.step_count = p.step_count;
  q.operand_count = p.operand_count, q.stride_count = p.stride_count, q.extent_count = p.extent_count,
  q.scalar_count = p.scalar_count;
  q.buffer_count = p.buffer_count, q.dim_count = p.dim_count, q.used_dim_count = p.used_dim_count,
  q.guard_count = p.guard_count, q.check_count = p.check_count, q.shape_count = p.shape_count;
  q.last_check = p.last_check, q.loop_count = p.loop_count;
  q.exact_dims = p.exact_dims, q.takes_for_equal = p.takes_for_equal, q.is_guarded = p.is_guarded;
  q.output_count = p.output_count, q.argument_count = p.argument_count;
  q.is_static = p.is_static, q.is_placed = p.is_placed, q.elementwise = p.elementwise, q.workspace = p.workspace;
  copy_first(q.kernels, p.kernels, p.kernel_count);
  copy_first(q.registers, p.registers, p.register_count);
  copy_first(q.sinks, p.sinks, p.sink_count);
  copy_first(q.steps, p.steps, p.step_count);
  copy_first(q.operands, p.operands, p.operand_count);
  copy_first(q.strides, p.strides, p.stride_count);
  copy_first(q.extents, p.extents, p.extent_count);
  copy_first(q.scalars, p.scalars, p.scalar_count);
  copy_first(q.buffers, p.buffers, p.buffer_count);
  copy_first(q.dims, p.dims, p.dim_count);
  copy_first(q.used_dims, p.used_dims, p.used_dim_count);
  copy_first(q.guards, p.guards, p.guard_count);
  copy_first(q.checks, p.checks, p.check_count);
  copy_first(q.shapes, p.shapes, p.shape_count);
  copy_first(q.output_shapes, p.output_shapes, p.output_count);
  copy_first(q.exact_shapes, p.exact_shapes, p.output_count);
  copy_first(q.argument_shapes, p.argument_shapes, p.argument_count);
  copy_first(q.argument_type, p.argument_type, p.argument_count);
  copy_first(q.argument_in, p.argument_in, p.argument_count);
  return q;
}

// nvcc's front end keeps two hundred bytes for every number of a constant, and of what a function without arguments
// returns.
#if defined(__CUDACC__)
inline constexpr bool constants_are_costly = true;
#else
inline constexpr bool constants_are_costly = false;
#endif

template <class Keeper>
concept Made = requires {
  typename std::bool_constant<(Keeper::made.step_count >= 0)>;
};

// The plan that `Source::make(plan)` makes, of which only what is in it is kept: without optimisation it is part of the
// program, where one with room for everything is two megabytes. Where constants are costly it is made twice, once to
// see how large it is.
template <class Source, bool Costly = constants_are_costly>
struct keeper {
  static constexpr plan_t made = [] {
    plan_t p{};
    Source::make(p);
    return p;
  }();
  // Where no plan could be made the compiler has said why; of an empty one it does not say the same of every array.
  static constexpr plan_sizes room = [](auto keeps) {
    using keeper = typename decltype(keeps)::type;
    if constexpr (Made<keeper>)
      return sizes_of(keeper::made);
    else
      return plan_sizes{};
  }(std::type_identity<keeper>{});
  using type = plan_of<room>;
  static constexpr type plan() {
    if constexpr (Made<keeper>)
      return fitted<room>(made);
    else
      return type{};
  }
};
template <class Source>
struct keeper<Source, true> {
  static constexpr plan_sizes room = [] {
    plan_t p{};
    Source::make(p);
    return sizes_of(p);
  }();
  using type = plan_of<room>;
  static constexpr type plan() {
    plan_t p{};
    Source::make(p);
    return fitted<room>(p);
  }
};
template <class Source>
using kept_t = typename keeper<Source>::type;

// Where the arguments of a plan lie.
constexpr void note_arguments(plan_t& p, bool const* number, bool const* whole) {
  for (int k = 0; k < p.argument_count; ++k)
    p.argument_in[k] = number[k]  ? argument_memory::expression
                       : whole[k] ? argument_memory::whole_tensor
                                  : argument_memory::part_of_a_tensor;
}

}  // namespace ricci::plan
