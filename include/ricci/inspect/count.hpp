// `rc::count(f, x, y)`: what a call of f with such arguments costs, without calling it. f is a function or a
// transformed one: `rc::count(rc::grad(loss), p, x)`, prepared or not; of `rc::jvp(f)`, tangents follow the arguments.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/vjp.hpp>
#include <ricci/inspect/work.hpp>

namespace ricci {

// Exact: operations on numbers, and bytes between kernels and memory. Of a branch (cond) both sides are counted, of
// which a call runs one, and of a loop of a number of iterations that is a value (while_loop) one iteration.
struct cost {
  index_t operations = 0;
  index_t bytes = 0;  // read and written
  index_t read = 0, written = 0;
  index_t workspace = 0;  // bytes for intermediate values
  int kernels = 0;        // different ones
  index_t steps = 0;      // runs of them
};

namespace inspect {
inline namespace RICCI_ABI {

// What is called when F is: a transform of a function.
template <class F>
struct call_of {
  using transform = tracing::call_itself;
  using function = F;
};
template <class Transform, class F>
struct call_of<tracing::transformed<Transform, F>> {
  using transform = Transform;
  using function = F;
};
template <class Transform, class F>
struct call_of<tracing::prepared_function<Transform, F>> : call_of<tracing::transformed<Transform, F>> {};

// the arguments, then their tangents
template <class F>
struct call_of<tracing::jvp_of<F>> {
  using transform = tracing::pushforward;
  using function = F;
};

// What is asked for, by its size, of a function whose calls are looked at.
template <class F, std::size_t Arguments>
struct one_call {};
template <class F, std::size_t Arguments>
struct one_call<tracing::jvp_of<F>, Arguments> {
  static_assert(Arguments % 2 == 0, "count and explain of jvp(f) take f's arguments and one tangent for each of them");
};
template <class F, std::size_t Arguments>
struct one_call<tracing::vjp_of<F>, Arguments> {
  static_assert(Arguments > Arguments, "count and explain look at one call, and vjp(f) makes two: count grad(f)");
};

// look(P, dims) with the program that a call with these arguments runs, and its symbolic extents
template <class F, class Look, class... A>
auto with_program(Look const& look, A const&... a) {
  using call = call_of<F>;
  (void)sizeof(one_call<F, sizeof...(A)>);
  (void)sizeof(tracing::function_of_symbols<typename call::function>);
  (void)sizeof(tracing::function_without_state<typename call::function>);
  using P = tracing::usual_program<typename call::transform, typename call::function, A...>;
  tracing::bound_arguments<(tree::count_leaves<A>() + ... + 0)> b;
  (tree::for_each_leaf([&](auto const& leaf) { tracing::bind_leaf(b, leaf); }, a), ...);
  // all dimensions, also those that are only in the recorded graph
  auto const resolve = [&]<class Q>(std::type_identity<Q>, index_t* dims) {
    exec::resolve_exactly(exec::dims_of<Q>(), b.refs, nullptr, dims);
    return exec::resolve_dims<Q>(b.refs, nullptr, dims);
  };
  index_t dims[exec::dim_capacity<P>]{};
  if (!resolve(std::type_identity<P>{}, dims)) {
    if constexpr (P::plan.takes_for_equal) {
      using general = tracing::general_program<typename call::transform, typename call::function, A...>;
      index_t more_dims[exec::dim_capacity<general>]{};
      resolve(std::type_identity<general>{}, more_dims);
      return look(std::type_identity<general>{}, more_dims);
    }
  }
  return look(std::type_identity<P>{}, dims);
}

template <class P>
cost cost_of(index_t const* dims) {
  constexpr auto const& plan = P::plan;
  cost c;
  index_t offsets[plan.buffer_count > 0 ? plan.buffer_count : 1]{};
  c.workspace = exec::resolve_buffers<P>(dims, offsets);
  constexpr plan_view view = exec::view_of<P>();
  for (int k = 0; k < plan.kernel_count; ++k) c.kernels += !plan::is_frame(works_of<P>.at[k].kind);
  index_t times = 1, outside[plan.step_count > 0 ? plan.step_count : 1]{};
  for (int k = 0; k < plan.step_count; ++k) {
    plan::step_t const& s = view.steps[k];
    kernel_work const& kernel = works_of<P>.at[s.kernel];
    if (kernel.kind == plan::step_kind::loop_begin)
      outside[k] = times, times *= s.is_counted ? 1 : exec::resolve(view.extents[s.first_extent], dims);
    else if (kernel.kind == plan::step_kind::loop_end)
      times = outside[s.partner];
    if (plan::is_frame(kernel.kind)) continue;
    work const w = work_of_step(s, kernel, view, dims);
    c.operations += times * w.operations;
    c.read += times * w.read;
    c.written += times * w.written;
    c.steps += times;
  }
  c.bytes = c.read + c.written;
  return c;
}

}  // namespace RICCI_ABI
}  // namespace inspect

inline namespace RICCI_ABI {

// What a call of f, a function or a transformed one, with such arguments costs; f is not called, but extents are
// checked as for a call: shape_error.
template <class F, class... A>
cost count(F const&, A const&... arguments) {
  auto const look = []<class P>(std::type_identity<P>, index_t const* dims) { return inspect::cost_of<P>(dims); };
  return inspect::with_program<F>(look, tracing::in_memory(arguments)...);
}

}  // namespace RICCI_ABI
}  // namespace ricci
