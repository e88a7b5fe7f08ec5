// Steps that are called with all that is known about them at compile time, one after another: which way each is run,
// and its operands bound where it stands.
#pragma once

#include <ricci/exec/control.hpp>
#include <ricci/exec/cpu/call_steps.hpp>
#include <ricci/exec/cpu/expanded.hpp>
#include <ricci/exec/cpu/made_rows.hpp>
#include <ricci/exec/cpu/row_calls.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr int most_direct_steps = 8, most_expanded_steps = 64, most_steps_beside_loops = 128;

// how many steps are written out
template <class P>
inline constexpr int expanded_steps = []<int... I>(std::integer_sequence<int, I...>) {
  return (int(is_expanded<P, I>()) + ... + 0);
}
(std::make_integer_sequence<int, P::plan.step_count <= most_expanded_steps ? P::plan.step_count : 0>{});
// how many steps stand in loops
template <class P>
inline constexpr int steps_in_loops = [] {
  int n = 0;
  for (int k = 0, end = 0; k < P::plan.step_count; ++k) {
    if (P::plan.steps[k].partner > end) end = P::plan.steps[k].partner;
    n += k < end;
  }
  return n;
}();
// Few steps, and small ones, are run one after another by code of their own instead of by a table; where they are in
// loops, also many, of which each is a call.
template <class P>
inline constexpr bool runs_directly = P::plan.step_count <= most_direct_steps ||
                                      (P::plan.loop_count > 0 && P::plan.step_count <= most_steps_beside_loops &&
                                       steps_in_loops<P> <= most_expanded_steps) ||
                                      (P::plan.step_count <= most_expanded_steps &&
                                       P::plan.step_count - expanded_steps<P> <= most_direct_steps);

template <class P, int I>
constexpr index_t only_extent() {
  if constexpr (P::plan.steps[I].loops == 0)
    return 1;
  else
    return P::plan.extents[P::plan.steps[I].first_extent];
}

// how far an operand of a single loop moves in one step
template <class P, int Operand, int Loops>
constexpr index_t step_bytes() {
  constexpr plan::operand_t o = P::plan.operands[Operand];
  if constexpr (Loops == 0)
    return 0;
  else
    return P::plan.strides[o.first_stride] * size_of(o.type);
}
RICCI_NOINLINE inline void run_row_in_threads(row_function function, char* const* p, index_t const* steps, int slots,
                                              scalar_value const* scalars, index_t n, int threads) {
  if (is_alone(threads, n)) return function(p, scalars, n, nullptr, 1, nullptr);
  auto const part = [&](index_t from, index_t to) {
    char* at[max_slots];
    for (int s = 0; s < slots; ++s) at[s] = p[s] + from * steps[s];
    function(at, scalars, to - from, nullptr, 1, nullptr);
  };
  parallel_parts(threads, n, part, 64);
}

// A step that is one row: nothing but a loop over elements side by side.
template <class P, int I>
constexpr bool is_row() {
  constexpr plan::step_t s = P::plan.steps[I];
  if constexpr (P::plan.kernels[s.kernel].kind == plan::step_kind::map && s.loops <= 1)
    return kernel::lowered<P, s.kernel>::type::strided == 0;
  else
    return false;
}
// The same where the row becomes one number.
template <class P, int I>
constexpr bool is_row_reduction() {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind == plan::step_kind::reduce && k.variant == 0 && s.loops == 1 && s.kept == 0)
    return kernel::lowered<P, s.kernel>::type::strided == 0;
  else
    return false;
}
// Where an operand is whose place in the memory of its kind is known: no program's type is in it, so that programs
// share these.
template <plan::home Where, int Index, index_t Bytes>
RICCI_INLINE char* pointer_at(bindings const& b) {
  if constexpr (Where == plan::home::argument)
    return b.arguments[Index].p + Bytes;
  else if constexpr (Where == plan::home::output)
    return b.outputs[Index].p + Bytes;
  else
    return b.workspace + Bytes;
}
// Where operand O is; in a workspace of known sizes this is an address that the compiler knows.
template <class P, int O>
RICCI_INLINE char* pointer_in(bindings const& b) {
  constexpr plan::operand_t o = P::plan.operands[O];
  constexpr bool in_workspace = o.where == plan::home::workspace;
  if constexpr (ir::is_symbolic(o.offset) || (in_workspace && !P::plan.is_placed))
    return pointer_to(plan_tables<P>::operands.at[O], b);
  else if constexpr (in_workspace)
    return pointer_at<o.where, 0, P::plan.buffers[o.index].offset + o.offset * size_of(o.type)>(b);
  else
    return pointer_at<o.where, o.index, o.offset * size_of(o.type)>(b);
}
template <class P, int I, int... S>
constexpr table<index_t, sizeof...(S)> row_steps(std::integer_sequence<int, S...>) {
  return {{step_bytes<P, P::plan.steps[I].first_operand + S, P::plan.steps[I].loops>()...}};
}

inline constexpr index_t longest_inlined_row = 64;
inline constexpr int most_inlined_registers = 4;  // of a kernel, where there are many

// Checks the operands of step I and of those after it in its list.
template <class P, int I>
RICCI_INLINE void check_steps(bindings const& b) {
  constexpr plan::step_t s = P::plan.steps[I];
  check_step(decltype(step_of<P, s.kernel>())::kernel, plan_tables<P>::steps.at[I], kept_view<P>, b);
  if constexpr (s.next_check != 0) check_steps<P, s.next_check>(b);
}

// How a step is run: its kernel written out or called with operands that are bound here, or by a table.
enum class step_way { expanded, row, row_reduction, small_product, small_call, place_in_row, by_table };
template <class P, int I>
constexpr step_way way_of() {
  if constexpr (is_expanded<P, I>())
    return step_way::expanded;
  else if constexpr (is_row<P, I>())
    return step_way::row;
  else if constexpr (is_row_reduction<P, I>())
    return step_way::row_reduction;
  else if constexpr (is_small_product<P, I>())
    return step_way::small_product;
  else if constexpr (is_small_call<P, I>())
    return step_way::small_call;
  else if constexpr (is_place_in_row<P, I>())
    return step_way::place_in_row;
  else
    return step_way::by_table;
}
// With operands S and scalars C.
template <class P, int I, step_way Way, int... S, int... C>
RICCI_INLINE void run_bound(bindings const& b, std::integer_sequence<int, S...>, std::integer_sequence<int, C...>) {
  constexpr plan::step_t s = P::plan.steps[I];
  using t = plan_tables<P>;
  using code = typename kernel::lowered<P, s.kernel>::type;
  char* const p[sizeof...(S) + 1] = {pointer_in<P, s.first_operand + S>(b)..., nullptr};
  scalar_value const scalars[sizeof...(C) + 1] = {scalar_from(t::scalars.at[s.first_scalar + C], b.dims)..., {}};
  if constexpr (Way == step_way::expanded) {
    expansion_of<P, I, code>::run(std::integer_sequence<int, S...>{}, p, scalars);
  } else if constexpr (Way == step_way::row) {
    constexpr index_t known = only_extent<P, I>();
    static constexpr auto steps = row_steps<P, I>(std::integer_sequence<int, S...>{});
    constexpr bool is_short = known >= 0 && known <= longest_inlined_row;
    if constexpr (is_short && (P::plan.step_count <= most_direct_steps || code::length <= most_inlined_registers))
      row<code>::run(p, scalars, known);
    else if constexpr (is_short)
      call_row<P, I, code, known>(p, scalars, steps.at);
    else
      run_row_in_threads(&row<code>::function, p, steps.at, code::slots, scalars, resolve(known, b.dims), b.threads);
  } else if constexpr (Way == step_way::row_reduction) {
    constexpr index_t known = only_extent<P, I>();
    if constexpr (known >= 0 && known <= longest_inlined_row)
      block<code>::run_row(p, scalars, known);
    else
      block<code>::call_for_row(p, scalars, resolve(known, b.dims));
  } else if constexpr (Way == step_way::small_call) {
    small_core_of<P, I>::run(p, scalars);
  } else if constexpr (Way == step_way::place_in_row) {
    run_place_in_row<P, I>(p, resolve(only_extent<P, I>(), b.dims));
  } else {
    run_small_product<P, I>(p, scalars);
  }
}

// Whether step I makes a row that step I + 1 is to make piece by piece (made_rows.hpp).
template <class P, int I>
constexpr bool is_made_by_next() {
  if constexpr (made_operand<P, I>() < 0)
    return false;
  else
    return way_of<P, I + 1>() == step_way::row || way_of<P, I + 1>() == step_way::row_reduction;
}
template <class P, int I>
constexpr bool is_made_before() {
  if constexpr (I == 0)
    return false;
  else
    return is_made_by_next<P, I - 1>();
}
template <class P, int I>
RICCI_INLINE bool is_long_row(bindings const& b) {
  return resolve(only_extent<P, I>(), b.dims) > block_length;
}
template <class P, int I, int... S, int... C>
RICCI_INLINE void run_made(bindings const& b, std::integer_sequence<int, S...>, std::integer_sequence<int, C...>) {
  constexpr plan::step_t s = P::plan.steps[I + 1];
  constexpr int operand = made_operand<P, I>();
  auto const from = source_at<typename made_by<P, I>::routine>(pointer_in<P, P::plan.steps[I].first_operand>(b));
  if constexpr (way_of<P, I + 1>() == step_way::row) {
    using t = plan_tables<P>;
    using code = typename kernel::lowered<P, s.kernel>::type;
    static constexpr auto steps = row_steps<P, I + 1>(std::integer_sequence<int, S...>{});
    char* const p[sizeof...(S) + 1] = {pointer_in<P, s.first_operand + S>(b)..., nullptr};
    scalar_value const scalars[sizeof...(C) + 1] = {scalar_from(t::scalars.at[s.first_scalar + C], b.dims)..., {}};
    run_made_row<typename made_by<P, I>::routine, operand, sizeof...(S)>(
        &row<code>::function, from, p, steps.at, scalars, resolve(only_extent<P, I + 1>(), b.dims), b.threads);
  } else {
    __builtin_memcpy(pointer_in<P, s.first_operand + operand>(b), &from, sizeof from);
    run_step(kernel_over_made_row<P, I>, plan_tables<P>::steps.at[I + 1], kept_view<P>, b);
  }
}

// Whether step I, a row that becomes one number, has no length that the table of steps is for: long ones are shared by
// threads, and empty ones may have no number.
template <class P, int I>
RICCI_INLINE bool is_usual_row(bindings const& b) {
  index_t const n = resolve(only_extent<P, I>(), b.dims);
  return way_of<P, I>() == step_way::place_in_row ? n > 0 : n <= block_length;
}
template <class P, int I>
RICCI_INLINE void run_direct(bindings const& b) {
  constexpr plan::step_t s = P::plan.steps[I];
  if constexpr (is_made_by_next<P, I>())
    if (is_long_row<P, I + 1>(b)) return;
  if constexpr (is_made_before<P, I>())
    if (is_long_row<P, I>(b))
      return run_made<P, I - 1>(b, std::make_integer_sequence<int, P::plan.kernels[s.kernel].slots>{},
                                std::make_integer_sequence<int, kernel::lowered<P, s.kernel>::type::scalars>{});
  if constexpr (s.first_check != 0) check_steps<P, s.first_check>(b);
  constexpr step_way way = way_of<P, I>();
  if constexpr (way == step_way::row_reduction || way == step_way::place_in_row)
    if (!is_usual_row<P, I>(b)) [[unlikely]] {
      bindings const copy = b;  // so that b itself can stay in registers
      return run_step(decltype(step_of<P, s.kernel>())::kernel, plan_tables<P>::steps.at[I], kept_view<P>, copy);
    }
  if constexpr (way != step_way::by_table)
    run_bound<P, I, way>(b, std::make_integer_sequence<int, P::plan.kernels[s.kernel].slots>{},
                         std::make_integer_sequence<int, kernel::lowered<P, s.kernel>::type::scalars>{});
  else if constexpr (has_small_products<P, I>())
    run_step(small_products<P, I>, plan_tables<P>::steps.at[I], kept_view<P>, b);
  else if constexpr (has_small_cores<P, I>())
    run_step(small_core_of<P, I>::batch, plan_tables<P>::steps.at[I], kept_view<P>, b);
  else
    run_step(decltype(step_of<P, s.kernel>())::kernel, plan_tables<P>::steps.at[I], kept_view<P>, b);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
