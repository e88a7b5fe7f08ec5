// A program is a type that stands for a plan: a statement (exec/statement_plan.hpp), a traced function
// (autodiff/program.hpp), one half of a pullback. Here is what every context reads of it when it runs.
#pragma once

#include <ricci/exec/dims.hpp>
#include <ricci/exec/tables.hpp>
#include <ricci/transform/plan/kept.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// P::plan is a constant, a `plan::plan_of`. It is read in constant expressions only, since it is large and as large as
// the largest: what is needed when the program runs stands in `plan_tables`. The type itself names the plan's kernels
// (`kernel::lowered<P, K>`). Programs that can be described (inspect/) also have `P::graph`, which was planned, and
// `P::trace().g`, as it was recorded.
template <class P>
concept Program = plan::is_plan<std::remove_const_t<decltype(P::plan)>> && requires {
  typename std::bool_constant<P::plan.is_static>;
};

template <Program P>
struct plan_tables {
  static constexpr auto steps = tables::exact<P::plan.step_count>(P::plan.steps);
  static constexpr auto operands = tables::exact<P::plan.operand_count>(P::plan.operands);
  static constexpr auto strides = tables::exact<P::plan.stride_count>(P::plan.strides);
  static constexpr auto extents = tables::exact<P::plan.extent_count>(P::plan.extents);
  static constexpr auto scalars = tables::exact<P::plan.scalar_count>(P::plan.scalars);
  static constexpr auto buffers = tables::exact<P::plan.buffer_count>(P::plan.buffers);
  static constexpr auto dims = tables::exact<P::plan.dim_count>(P::plan.dims);
  static constexpr auto used_dims = tables::exact<P::plan.used_dim_count>(P::plan.used_dims);
  static constexpr auto guards = tables::exact<P::plan.guard_count>(P::plan.guards);
  static constexpr auto arguments = [] {
    table<argument_entry, P::plan.argument_count> t{};
    for (int k = 0; k < P::plan.argument_count; ++k)
      t.at[k] = {P::plan.argument_shapes[k], size_of(P::plan.argument_type[k])};
    return t;
  }();
  static constexpr auto checks = tables::exact<P::plan.check_count>(P::plan.checks);
  static constexpr auto shapes = tables::exact<P::plan.shape_count>(P::plan.shapes);
};

// The same without the type of the program.
struct plan_view {
  plan::step_t const* steps;
  plan::operand_t const* operands;
  index_t const* strides;
  index_t const* extents;
  plan::scalar_t const* scalars;
};

template <class P>
constexpr plan_view view_of() {
  using t = plan_tables<P>;
  return {t::steps.at, t::operands.at, t::strides.at, t::extents.at, t::scalars.at};
}
// As a constant in memory, for who hands it on by reference.
template <class P>
inline constexpr plan_view kept_view = view_of<P>();

// ---- symbolic dimensions ----

template <class P>
constexpr dim_tables dims_of() {
  using t = plan_tables<P>;
  return {t::dims.at,         t::used_dims.at,        t::guards.at,        t::checks.at,        t::shapes.at,
          P::plan.exact_dims, P::plan.used_dim_count, P::plan.guard_count, P::plan.check_count, P::plan.is_guarded};
}
template <class P>
inline constexpr int dim_capacity = P::plan.dim_count > 0 ? P::plan.dim_count : 1;
// Whether a plan needs few dimensions, which are extents of its arguments: then they are read where they are needed.
template <class P>
constexpr bool needs_few_extents() {
  constexpr int few = 4;
  auto const& p = P::plan;
  if (p.used_dim_count > few || p.guard_count > few || !p.is_guarded) return false;
  for (int k = 0; k < p.used_dim_count; ++k)
    if (p.dims[p.used_dims[k]].op != ir::dim_op::argument) return false;
  return true;
}
// Their values; false where the plan was made for equal extents and some are not (exec/dims.hpp).
template <class P>
RICCI_INLINE bool resolve_dims(operand_ref const* operands, index_t const* slots, index_t* dims) {
  using t = plan_tables<P>;
  if constexpr (P::plan.dim_count + P::plan.check_count == 0) {
    return true;
  } else {
    if constexpr (needs_few_extents<P>()) {
      bool fits = true;
      RICCI_UNROLL(4)
      for (int k = 0; k < P::plan.used_dim_count; ++k) {
        ir::dim_expr const& e = t::dims.at[t::used_dims.at[k]];
        dims[t::used_dims.at[k]] = operands[e.a].extents[e.b];
      }
      RICCI_UNROLL(4)
      for (int k = 0; k < P::plan.guard_count; ++k) fits = fits && holds(t::guards.at[k], dims);
      if (fits) [[likely]]
        return true;
    }
    return resolve_dims(dims_of<P>(), operands, slots, dims);
  }
}

// Offsets of the buffers, and how many bytes they take together.
template <class P>
RICCI_INLINE index_t resolve_buffers(index_t const* dims, index_t* offsets) {
  using t = plan_tables<P>;
  index_t top = 0;
  for (int k = 0; k < P::plan.buffer_count; ++k) {
    auto const& b = t::buffers.at[k];
    if constexpr (P::plan.is_placed) {
      offsets[k] = b.offset;
    } else if (b.place != k) {
      offsets[k] = offsets[b.place];
    } else {
      offsets[k] = top;
      index_t const bytes = core::bytes_of(resolve(b.elements, dims), b.element_size);
      top = core::sum_of_extents(top, core::whole_lines(bytes));
    }
  }
  return P::plan.is_placed ? P::plan.workspace : core::bytes_of(top, 1);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
