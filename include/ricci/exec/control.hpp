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
// those of them that the plan uses and that follow from the numbers
template <class P>
inline constexpr auto changing_dims = [] {
  struct {
    int at[P::plan.used_dim_count > 0 ? P::plan.used_dim_count : 1], count;
  } r{};
  for (int k = 0; k < P::plan.used_dim_count; ++k) {
    int const d = P::plan.used_dims[k];
    if (dims_in_loops<P>::depends.at[d] && P::plan.dims[d].op != ir::dim_op::iteration) r.at[r.count++] = d;
  }
  return r;
}();
// The other dimensions after one of the numbers has changed.
template <class P>
RICCI_INLINE void resolve_in_loop([[maybe_unused]] index_t* dims) {
  [&]<int... K>(std::integer_sequence<int, K...>) RICCI_INLINE_LAMBDA {
    ((dims[changing_dims<P>.at[K]] = evaluate(plan_tables<P>::dims.at[changing_dims<P>.at[K]], nullptr, nullptr, dims)),
     ...);
  }
  (std::make_integer_sequence<int, changing_dims<P>.count>{});
}
// The values of dimensions that the plan uses, to be changed.
template <class P>
struct loop_dims {
  index_t at[dim_capacity<P>];
  RICCI_INLINE explicit loop_dims(index_t const* given) {
    for (int k = 0; k < P::plan.used_dim_count; ++k)
      at[plan_tables<P>::used_dims.at[k]] = given[plan_tables<P>::used_dims.at[k]];
  }
};
// `run()` for every iteration of the loop that step I begins; read(address) is an integer there. A count may be what an
// iteration leaves, so it is read again.
template <class P, int I, class Read, class F>
RICCI_INLINE void run_iterations(bindings const& b, index_t* dims, Read const& read, F const& run) {
  constexpr plan::step_t s = P::plan.steps[I];
  auto const count = [&]() RICCI_INLINE_LAMBDA {  // (nvcc sees no constant in an `s` that is captured)
    if constexpr (P::plan.steps[I].is_counted)
      return read(pointer_to(plan_tables<P>::operands.at[P::plan.steps[I].first_operand], b));
    else
      return resolve(P::plan.extents[P::plan.steps[I].first_extent], dims);
  };
  index_t n = count();
  for (index_t k = 0; k < n; ++k, n = s.is_counted ? count() : n) {
    dims[s.iteration] = k;
    resolve_in_loop<P>(dims);
    run();
  }
}
// the first step of [from, to) that begins a loop; `to` where none does
template <class P>
constexpr int next_loop(int from, int to) {
  while (from < to && P::plan.steps[from].partner < 0) ++from;
  return from;
}

// All steps of a plan with loops, from its table.
template <class P, class F, class Read>
RICCI_NOINLINE void run_loops(bindings const& given, F const& f, Read const& read) {
  loop_dims<P> dims(given.dims);
  bindings b = given;
  b.dims = dims.at;
  constexpr plan_view v = view_of<P>();
  auto const count_from = [&](plan::step_t const& s, index_t n) {
    dims.at[s.iteration] = n;
    resolve_in_loop<P>(dims.at);
  };
  auto const iterations = [&](plan::step_t const& s) {
    return s.is_counted ? read(pointer_to(v.operands[s.first_operand], b))
                        : resolve(v.extents[s.first_extent], dims.at);
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
    } else if (dims.at[s.iteration] + 1 < iterations(s)) {
      count_from(s, dims.at[s.iteration] + 1);
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
