// The order in which the steps of a plan run: one after another, those of a loop once for every iteration.
#pragma once

#include <ricci/exec/bindings.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Dimensions that depend on the number of an iteration, as far as the plan uses them, in order.
template <class P>
struct dims_in_loops {
  static constexpr auto depends = [] {
    table<bool, P::plan.dim_count> t{};
    for (int k = 0; k < P::plan.dim_count; ++k) {
      auto const& d = P::plan.dims[k];
      auto const on = [&](index_t x) { return ir::is_symbolic(x) && t.at[ir::dim_index(x)]; };
      t.at[k] = d.op == ir::dim_op::iteration || (!ir::is_given(d.op) && (on(d.a) || on(d.b)));
    }
    return t;
  }();
};
// The other dimensions after one of the numbers has changed.
template <class P>
RICCI_NOINLINE void resolve_in_loop(index_t* dims) {
  using t = plan_tables<P>;
  for (int k = 0; k < P::plan.used_dim_count; ++k) {
    int const d = t::used_dims.at[k];
    if (dims_in_loops<P>::depends.at[d] && t::dims.at[d].op != ir::dim_op::iteration)
      dims[d] = evaluate(t::dims.at[d], nullptr, nullptr, dims);
  }
}

template <class P, class F, class Read>
void run_loops(bindings const& given, F const& f, Read const& read) {
  index_t dims[dim_capacity<P>];
  for (int k = 0; k < P::plan.used_dim_count; ++k)
    dims[plan_tables<P>::used_dims.at[k]] = given.dims[plan_tables<P>::used_dims.at[k]];
  bindings b = given;
  b.dims = dims;
  constexpr plan_view v = view_of<P>();
  auto const count_from = [&](plan::step_t const& s, index_t n) {
    dims[s.iteration] = n;
    resolve_in_loop<P>(dims);
  };
  auto const iterations = [&](plan::step_t const& s) {
    return s.is_counted ? read(pointer_to(v.operands[s.first_operand], b)) : resolve(v.extents[s.first_extent], dims);
  };
  for (int k = 0; k < P::plan.step_count; ++k) {
    plan::step_t const& s = v.steps[k];
    if (s.partner < 0) {
      f(s, b);
    } else if (s.partner > k) {
      if (iterations(s) <= 0)
        k = s.partner;
      else
        count_from(s, 0);
    } else if (dims[s.iteration] + 1 < iterations(s)) {
      count_from(s, dims[s.iteration] + 1);
      k = s.partner;
    }
  }
}

// f(step, bindings) for every step of a plan; read(address) is an integer there.
template <class P, class F, class Read>
RICCI_INLINE void for_each_step(bindings const& b, F const& f, Read const& read) {
  if constexpr (P::plan.loop_count > 0) {
    run_loops<P>(b, f, read);
  } else {
    constexpr plan_view v = view_of<P>();
    for (int k = 0; k < P::plan.step_count; ++k) f(v.steps[k], b);
  }
}
}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
