// Runs a plan: a few steps are called one after another with all that is known about them at compile time; many are a
// table of functions, so that a long function compiles in the time of its different kernels.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/exec/cpu/direct_steps.hpp>
#include <ricci/exec/cpu/outer_blocks.hpp>
#include <ricci/exec/cpu/row_blocks.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

template <class P, int... K>
constexpr table<kernel_info const*, sizeof...(K)> kernels_of(std::integer_sequence<int, K...>) {
  return {{&decltype(step_of<P, K>())::kernel...}};
}

struct integer_in_memory {
  RICCI_INLINE index_t operator()(char const* p) const { return index_t(*reinterpret_cast<std::int64_t const*>(p)); }
};

// Steps [From, To), of which a loop's body is written out once.
template <class P, int From, int To>
RICCI_INLINE void run_steps_directly(bindings const& b, [[maybe_unused]] index_t* dims) {
  constexpr int next = next_loop<P>(From, To);
  [&]<int... I>(std::integer_sequence<int, I...>) RICCI_INLINE_LAMBDA { (run_direct<P, From + I>(b), ...); }
  (std::make_integer_sequence<int, next - From>{});
  if constexpr (next < To) {
    constexpr int end = P::plan.steps[next].partner;
    run_iterations<P, next>(b, dims, integer_in_memory{},
                            [&]() RICCI_INLINE_LAMBDA { run_steps_directly<P, next + 1, end>(b, dims); });
    run_steps_directly<P, end + 1, To>(b, dims);
  }
}

// Few steps of which some share their outermost loop.
template <class P>
RICCI_INLINE void run_steps_or_groups(bindings const& b) {
  static constexpr auto kernels = kernels_of<P>(std::make_integer_sequence<int, P::plan.kernel_count>{});
  constexpr plan_view v = view_of<P>();
  int done = 0;
  auto const run = [&]<int I>(std::integral_constant<int, I>) {
    if constexpr (outer_groups<P>.ends.at[I] > I && !is_made_before<P, I>())
      if (done <= I) done = run_outer_group<P>(kernels.at, v, b, I);
    if (done <= I) run_direct<P, I>(b);
  };
  [&]<int... I>(std::integer_sequence<int, I...>) { (run(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, P::plan.step_count>{});
}

template <class P>
RICCI_INLINE void run_steps(bindings const& b) {
  if constexpr (runs_directly<P> && P::plan.loop_count > 0) {
    loop_dims<P> dims(b.dims);
    bindings now = b;
    now.dims = dims.at;
    run_steps_directly<P, 0, P::plan.step_count>(now, dims.at);
  } else if constexpr (runs_directly<P> && outer_groups<P>.count > 0) {
    run_steps_or_groups<P>(b);
  } else if constexpr (runs_directly<P>) {
    [&]<int... I>(std::integer_sequence<int, I...>) RICCI_INLINE_LAMBDA { (run_direct<P, I>(b), ...); }
    (std::make_integer_sequence<int, P::plan.step_count>{});
  } else {
    static constexpr auto kernels = kernels_of<P>(std::make_integer_sequence<int, P::plan.kernel_count>{});
    constexpr plan_view v = view_of<P>();
    auto const run = [&](plan::step_t const& s, bindings const& now) {
      for (int c = s.first_check; c != 0; c = v.steps[c].next_check)
        check_step(*kernels.at[v.steps[c].kernel], v.steps[c], v, now);
      run_step(*kernels.at[s.kernel], s, v, now);
    };
    if constexpr (P::plan.loop_count == 0 && core::has_heap && !RICCI_SMALL_STACK)
      run_in_groups<P>(kernels.at, b, run);
    else
      for_each_step<P>(b, run, integer_in_memory{});
  }
}

// ---- memory that steps ask for ----

template <class P, int K>
constexpr bool kernel_takes_memory() {
  constexpr plan::kernel_t k = P::plan.kernels[K];
  if constexpr (k.kind == plan::step_kind::call)
    return call_takes_memory<ir::op_of<k.op>, type_of<k.type>>;
  else
    return false;
}
template <class P>
constexpr bool steps_take_memory() {
  constexpr bool calls = [] {
    for (int k = 0; k < P::plan.kernel_count; ++k)
      if (P::plan.kernels[k].kind == plan::step_kind::call) return true;
    return false;
  }();
  if constexpr (!calls)
    return false;
  else if constexpr (runs_directly<P>)  // where small cores have memory of their own
    return []<int... I>(std::integer_sequence<int, I...>) {
      return ((!has_small_cores<P, I>() && kernel_takes_memory<P, P::plan.steps[I].kernel>()) || ...);
    }
  (std::make_integer_sequence<int, P::plan.step_count>{});
  else return []<int... K>(std::integer_sequence<int, K...>) {
    return (kernel_takes_memory<P, K>() || ...);
  }
  (std::make_integer_sequence<int, P::plan.kernel_count>{});
}
// How much the step needs that needs most.
template <class P>
RICCI_NOINLINE index_t memory_of_steps(index_t const* dims, int threads) {
  static constexpr auto kernels = kernels_of<P>(std::make_integer_sequence<int, P::plan.kernel_count>{});
  constexpr plan_view v = view_of<P>();
  index_t most = 0;
  for (int k = 0; k < P::plan.step_count; ++k) {
    plan::step_t const& s = v.steps[k];
    if (!kernels.at[s.kernel]->memory) continue;
    geometry g;
    g.loops = s.loops, g.kept = s.kept, g.threads = threads;
    for (int l = 0; l < s.loops; ++l) g.extent[l] = resolve(v.extents[s.first_extent + l], dims);
    for (int c = 0; c < kernels.at[s.kernel]->scalars; ++c)
      g.scalars[c] = scalar_from(v.scalars[s.first_scalar + c], dims);
    index_t const bytes = kernels.at[s.kernel]->memory(g);
    most = bytes > most ? bytes : most;
  }
  return most;
}

// ---- a plan with its intermediate values ----

inline constexpr index_t stack_workspace = 16384;

// `keep`: memory that a caller has for the intermediate values, made larger where it is too small. (Where nothing is
// optimised, a caller that this is inlined into would have the workspaces of all its calls on the stack at once.)
template <class P>
RICCI_ENTRY void run_plan(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs, int threads,
                          core::shared_buffer* keep = nullptr, result_reader* reader = nullptr) {
  char* memory = nullptr;
  [[maybe_unused]] std::conditional_t<steps_take_memory<P>(), core::shared_buffer, core::no_buffer> owner;
  if constexpr (steps_take_memory<P>())
    if (index_t const n = memory_of_steps<P>(P::plan.dim_count > 0 ? dims : nullptr, threads); n > 0)
      owner = core::shared_buffer(n), memory = owner.data();
  if constexpr (P::plan.buffer_count == 0) {
    run_steps<P>({arguments, outputs, nullptr, dims, nullptr, threads, memory, reader});
  } else {
    index_t offsets[P::plan.buffer_count];
    index_t const bytes = resolve_buffers<P>(dims, offsets);
    if (core::has_heap && keep) {
      if (keep->bytes() < bytes) *keep = core::shared_buffer(bytes);
      run_steps<P>({arguments, outputs, keep->data(), dims, offsets, threads, memory, reader});
    } else if constexpr (!P::plan.is_placed) {
      scratch<stack_workspace> workspace(bytes);
      run_steps<P>({arguments, outputs, workspace.data(), dims, offsets, threads, memory, reader});
    } else if constexpr (P::plan.workspace <= 4 * stack_workspace) {
      alignas(64) char workspace[P::plan.workspace > 0 ? P::plan.workspace : 1];
      run_steps<P>({arguments, outputs, workspace, dims, offsets, threads, memory, reader});
    } else {
      core::require_heap<P::plan.workspace>();
      scratch<0> workspace(P::plan.workspace);
      run_steps<P>({arguments, outputs, workspace.data(), dims, offsets, threads, memory, reader});
    }
  }
}
// As a function of its own, as programs are of which much is written out: all of it within their caller would take
// compilers more time than anything else.
template <class P>
inline constexpr bool runs_apart = runs_directly<P> &&
                                   (P::plan.loop_count > 0 || P::plan.step_count > 2 * most_direct_steps);
template <class P>
RICCI_NOINLINE void run_plan_apart(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs,
                                   int threads, core::shared_buffer* keep, result_reader* reader) {
  run_plan<P>(dims, arguments, outputs, threads, keep, reader);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
