// Runs a plan: a few steps are called one after another with all that is known about them at compile time; many are a table of
// functions, so that a long function compiles in the time of its different kernels.
#pragma once

#include <ricci/exec/cpu/step.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr int most_direct_steps = 8;

template <class P>
inline constexpr bool runs_directly = P::plan.step_count <= most_direct_steps;

template <class P, int I>
constexpr index_t only_extent() {
  if constexpr (P::plan.steps[I].loops == 0) return 1;
  else return P::plan.extents[P::plan.steps[I].first_extent];
}

// A single loop over whole rows, as most statements are: nothing stands between the caller and it.
template <class P, int I>
RICCI_INLINE void run_direct(bindings const& b) {
  constexpr plan::step_t s = P::plan.steps[I];
  using the_step = decltype(step_of<P, s.kernel>());
  using t = plan_tables<P>;
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind == plan::step_kind::map && s.loops <= 1) {
    using code = typename kernel::lowered<P, s.kernel>::type;
    if constexpr (code::strided == 0) {
      index_t const n = resolve(only_extent<P, I>(), b.dims);
      if (b.threads == 1 || n < parallel_threshold) {
        [&]<int... S, int... C>(std::integer_sequence<int, S...>, std::integer_sequence<int, C...>) {
          char* const p[sizeof...(S) + 1] = {pointer_to(t::operands.at[s.first_operand + S], b)..., nullptr};
          scalar_value const scalars[sizeof...(C) + 1] = {value_of(t::scalars.at[s.first_scalar + C], b)..., {}};
          row<code>::run(p, scalars, n);
        }(std::make_integer_sequence<int, code::slots>{}, std::make_integer_sequence<int, code::scalars>{});
        return;
      }
    }
  }
  run_step(the_step::kernel, t::steps.at[I], view_of<P>(), b);
}

template <class P, int... K>
constexpr table<kernel_info const*, sizeof...(K)> kernels_of(std::integer_sequence<int, K...>) {
  return {{&decltype(step_of<P, K>())::kernel...}};
}

template <class P>
RICCI_INLINE void run_steps(bindings const& b) {
  if constexpr (runs_directly<P>) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (run_direct<P, I>(b), ...); }(
        std::make_integer_sequence<int, P::plan.step_count>{});
  } else {
    static constexpr auto kernels = kernels_of<P>(std::make_integer_sequence<int, P::plan.kernel_count>{});
    constexpr plan_view v = view_of<P>();
    for (int k = 0; k < P::plan.step_count; ++k) run_step(*kernels.at[v.steps[k].kernel], v.steps[k], v, b);
  }
}

// ---- symbolic dimensions ----

// Their values; false where the plan is not made for them.
template <class P>
RICCI_INLINE bool resolve_dims(operand_ref const* operands, index_t const* slots, index_t* dims) {
  using t = plan_tables<P>;
  bool fits = true;
  if constexpr (P::plan.dim_count + P::plan.check_count <= 24) {
    [&]<int... D, int... C>(std::integer_sequence<int, D...>, std::integer_sequence<int, C...>) {
      ((dims[D] = evaluate(t::dims.at[D], operands, slots, dims)), ...);
      ((fits = holds(t::checks.at[C], t::shapes.at, dims) && fits), ...);
    }(std::make_integer_sequence<int, P::plan.dim_count>{}, std::make_integer_sequence<int, P::plan.check_count>{});
  } else {
    for (int k = 0; k < P::plan.dim_count; ++k) dims[k] = evaluate(t::dims.at[k], operands, slots, dims);
    for (int k = 0; k < P::plan.check_count; ++k) fits = holds(t::checks.at[k], t::shapes.at, dims) && fits;
  }
  return fits;
}

// Offsets of the buffers, and how many bytes they take together.
template <class P>
RICCI_INLINE index_t resolve_buffers(index_t const* dims, index_t* offsets) {
  using t = plan_tables<P>;
  index_t top = 0;
  for (int k = 0; k < P::plan.buffer_count; ++k) {
    auto const& b = t::buffers.at[k];
    if constexpr (P::plan.is_static) {
      offsets[k] = b.offset;
    } else if (b.place != k) {
      offsets[k] = offsets[b.place];
    } else {
      offsets[k] = top;
      top += (resolve(b.elements, dims) * b.element_size + 63) / 64 * 64;
    }
  }
  return P::plan.is_static ? P::plan.workspace : top;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
