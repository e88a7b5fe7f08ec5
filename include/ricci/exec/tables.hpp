// What is left of a plan when it runs: its steps and their operands as constant tables of exactly the needed size.
#pragma once

#include <ricci/transform/plan/plan.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class T, int N>
struct table {
  T at[N > 0 ? N : 1];
};

namespace tables {

template <int N, class T>
constexpr table<T, N> exact(T const* from) {
  table<T, N> t{};
  for (int k = 0; k < N; ++k) t.at[k] = from[k];
  return t;
}

}  // namespace tables

// An argument: its shape, as an index, and the size of its elements.
struct argument_entry {
  int shape, size;
};

// P::plan is a constexpr plan. It is read in constant expressions only: what the program needs of it stands in tables.
template <class P>
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

}  // namespace RICCI_ABI
}  // namespace ricci::exec
