// Evaluation of a lazy expression: the operands of its plan (exec/statement_plan.hpp) are bound, and it is run into the
// memory of the result.
#pragma once

#include <ricci/exec/cpu/backend.hpp>
#include <ricci/exec/statement.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {

inline namespace RICCI_ABI {

// The dimensions of a plan with few of them, one by one, so that they can stay in registers.
template <class P>
struct few_dims {
  static constexpr bool are_there =
      P::plan.dim_count + P::plan.check_count == 0 || (P::plan.is_guarded && P::plan.used_dim_count <= 24);

  // false where the plan is not made for them
  template <class Binder>
  RICCI_INLINE static bool resolve(Binder const& b, index_t* dims) {
    bool usual = true;
    [&]<int... D, int... G>(std::integer_sequence<int, D...>, std::integer_sequence<int, G...>) RICCI_INLINE_LAMBDA {
      ((dims[P::plan.used_dims[D]] = value<P::plan.used_dims[D]>(b, dims)), ...);
      ((usual = usual && guard_holds<G>(dims)), ...);
    }
    (std::make_integer_sequence<int, P::plan.used_dim_count>{}, std::make_integer_sequence<int, P::plan.guard_count>{});
    return usual;
  }

 private:
  template <int D, class Binder>
  RICCI_INLINE static index_t value(Binder const& b, index_t const* dims) {
    constexpr ir::dim_expr d = P::plan.dims[D];
    return evaluate(d, b.operands, b.slots, dims);
  }
  template <int G>
  RICCI_INLINE static bool guard_holds(index_t const* dims) {
    constexpr plan::guard_t guard = P::plan.guards[G];
    return holds(guard, dims);
  }
};

// Whether no operand is in the way of a result at `out`, as far as that shows at once.
template <class P, class Memory, class T, class E>
RICCI_INLINE bool are_apart(expr::binder<E> const& b, operand_ref const& out) {
  return [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
    return (results_of<P>::template is_apart<0, A, Memory::whole>(b.operands[A], out, sizeof(T)) && ...);
  }
  (std::make_integer_sequence<int, expr::binder<E>::arguments>{});
}

// Most statements are one row of whole tensors of equal extents, computed by one thread, or one product, into memory
// that is there: then nothing stands between the caller and the loop. Nothing here takes the address of what it
// computes with, or it would have to be written to memory first.
template <class P, class E>
constexpr bool is_simple() {
  if constexpr (P::plan.step_count != 1 || P::plan.buffer_count != 0 ||
                expr::reified<E>::deferred + expr::reified<E>::slots != 0)
    return false;
  else if constexpr (!few_dims<P>::are_there)
    return false;
  else if constexpr (![] {
                       for (int k = 0; k < P::plan.operand_count; ++k)
                         if (ir::is_symbolic(P::plan.operands[k].offset)) return false;
                       for (int k = 0; k < P::plan.scalar_count; ++k)
                         if (P::plan.scalars[k].is_dim) return false;
                       return true;
                     }())
    return false;
  else
    return is_expanded<P, 0>() || is_row<P, 0>() || is_row_reduction<P, 0>() || is_small_product<P, 0>() ||
           is_plain_product<P, 0>() || is_small_call<P, 0>() || is_place_in_row<P, 0>();
}
// The one step of such a plan, over operands that are bound in b.
template <class P, class Binder>
struct only_row {
  // where operand O of the plan lies; results are at `out`
  template <int O>
  RICCI_INLINE static char* pointer(Binder& b, char* out) {
    constexpr plan::operand_t o = P::plan.operands[O];
    char* base = out;
    if constexpr (o.where == plan::home::argument) {
      if constexpr (P::plan.argument_in[o.index] == plan::argument_memory::expression)
        base = reinterpret_cast<char*>(&b.numbers[o.index]);
      else
        base = b.operands[o.index].p;
    }
    return base + o.offset * size_of(o.type);
  }
  template <int S>
  RICCI_INLINE static scalar_value constant_scalar() {
    constexpr plan::scalar_t s = P::plan.scalars[S];
    return scalar_from(s, nullptr);
  }
  // `f(code, operands, scalars)`
  template <class F>
  RICCI_INLINE static void with(Binder& b, char* out, F const& f) {
    constexpr plan::step_t s = P::plan.steps[0];
    using code = typename kernel::lowered<P, s.kernel>::type;
    [&]<int... S, int... C>(std::integer_sequence<int, S...>, std::integer_sequence<int, C...>) RICCI_INLINE_LAMBDA {
      char* const p[] = {pointer<s.first_operand + S>(b, out)..., nullptr};
      scalar_value const scalars[] = {constant_scalar<s.first_scalar + C>()..., {}};
      f(code{}, p, scalars);
    }
    (std::make_integer_sequence<int, P::plan.kernels[s.kernel].slots>{},
     std::make_integer_sequence<int, code::scalars>{});
  }
  RICCI_NOINLINE static void run_last(Binder& b, char* out, index_t from, index_t n) {
    with(b, out, [&]<class Code>(Code, char* const* p, scalar_value const* scalars) {
      row<Code>::run_last(p, scalars, from, n, nullptr);
    });
  }
};
template <class P, class Memory, class T, int Rank, class E>
RICCI_INLINE bool evaluate_row(expr::binder<E>& b, typename Memory::target_type& t, core::execution_request request) {
  using the_row = only_row<P, expr::binder<E>>;
  b.operands[b.arguments] = Memory::target(t);
  index_t dims[P::plan.dim_count + 1]{};
  bool const usual = few_dims<P>::resolve(b, dims);
  constexpr index_t known = only_extent<P, 0>();
  index_t const n = resolve(known, dims);
  constexpr bool reduces = is_row_reduction<P, 0>(), multiplies = is_plain_product<P, 0>(),
                 finds_place = is_place_in_row<P, 0>();
  if (!usual || (!multiplies && n >= (reduces ? block_length + 1 : parallel_threshold))) [[unlikely]]
    return false;
  if (finds_place && n == 0) [[unlikely]]  // the table of steps says what is wrong
    return false;
  constexpr shape_t shape = P::plan.shapes[P::plan.output_shapes[0]];
  index_t extents[Rank + 1];
  for (int k = 0; k < Rank; ++k) extents[k] = resolve(shape.extent[k], dims);
  char* const out = Memory::memory_for(t, extents, request.with(b.how));
  if (!out) [[unlikely]]
    return false;
  if (!are_apart<P, Memory, T>(b, {out, extents, nullptr})) [[unlikely]]
    return false;
  index_t done = n;
  the_row::with(b, out, [&]<class Code>(Code, char* const* p, scalar_value const* scalars) RICCI_INLINE_LAMBDA {
    if constexpr (is_expanded<P, 0>())
      expansion_of<P, 0, Code>::run(std::make_integer_sequence<int, Code::slots>{}, p, scalars);
    else if constexpr (is_small_product<P, 0>())
      run_small_product<P, 0>(p, scalars);
    else if constexpr (is_small_call<P, 0>())
      small_core_of<P, 0>::run(p, scalars);
    else if constexpr (finds_place)
      run_place_in_row<P, 0>(p, n);
    else if constexpr (multiplies)
      run_plain_product<P, 0>(p, dims, request.with(b.how).threads());
    else if constexpr (reduces && known >= 0 && known <= longest_inlined_row)
      block<Code>::run_row(p, scalars, known);
    else if constexpr (reduces)
      block<Code>::call_for_row(p, scalars, n);
    else if constexpr (known >= 0 || row<Code>::ends_in_part)
      row<Code>::run(p, scalars, n);
    else
      done = row<Code>::run_whole(p, scalars, n);
  });
  if constexpr (is_row<P, 0>() && known < 0)
    if (done < n) {
      expr::binder<E> copy = b;  // so that b itself can stay in registers
      the_row::run_last(copy, out, done, n - done);
    }
  return true;
}

// Other statements run at once where their extents are those that the plan was made for and no operand is in the way.
// Settled: all is known but whether one is.
template <class P, class Memory>
constexpr bool is_direct() {
  return few_dims<P>::are_there && (P::plan.last_check == 0 || Memory::type.kind == target_kind::fresh);
}
template <class P, class Memory, class E>
constexpr bool is_settled() {
  return is_direct<P, Memory>() && Memory::whole && P::plan.is_static && P::plan.dim_count == 0 &&
         !Memory::target_type::shared && expr::reified<E>::deferred == 0;
}
template <class P, class Memory, class T, int Rank, class E>
RICCI_INLINE bool evaluate_directly(expr::binder<E>& b, typename Memory::target_type& t,
                                    core::execution_request request) {
  b.operands[b.arguments] = Memory::target(t);
  point_at_numbers<P>(b);
  index_t dims[P::plan.dim_count + 1]{};
  if (!few_dims<P>::resolve(b, dims)) [[unlikely]]
    return false;
  core::execution const how = request.with(b.how);
  constexpr shape_t shape = P::plan.shapes[P::plan.output_shapes[0]];
  index_t extents[Rank + 1];
  for (int k = 0; k < Rank; ++k) extents[k] = resolve(shape.extent[k], dims);
  operand_ref const out{Memory::memory_for(t, extents, how), extents,
                        Memory::whole ? nullptr : b.operands[b.arguments].strides};
  if (!out.p || !are_apart<P, Memory, T>(b, out)) [[unlikely]]
    return false;
  if constexpr (is_settled<P, Memory, E>())
    run_plan<P>(dims, b.operands, &out, how.threads());
  else
    run_statement<backend_of<expr::host_memory>, P>(dims, b.operands, &out, how, nullptr);
  return true;
}
// Everything that may happen when an expression is evaluated; its operands have been bound. What is settled comes here
// where an operand is in the way.
template <class P, class Memory, class T, class Target, fit Fit, bool Dense, class E>
RICCI_NOINLINE void evaluate_bound(expr::binder<E>& b, typename Memory::target_type& t,
                                   core::execution_request request) {
  using backend = backend_of<expr::host_memory>;
  if constexpr (is_settled<P, Memory, E>() && Target::size * index_t(sizeof(T)) <= backend::most_on_stack) {
    point_at_numbers<P>(b);
    evaluate_by_way_of_a_copy<backend, P, Target::size * index_t(sizeof(T))>(b.operands, Memory::target(t),
                                                                             request.with(b.how));
  } else {
    if constexpr (is_direct<P, Memory>() && !is_simple<P, E>() && !is_settled<P, Memory, E>())
      if (evaluate_directly<P, Memory, T, Target::rank>(b, t, request)) [[likely]]
        return;
    evaluate_any<backend, P, Memory, T, Target, Fit, Dense>(b, t, request);
  }
}

// Evaluates e as elements of type T into the memory of t.
template <class Memory, class T, class Target, fit Fit, bool Dense, class E>
RICCI_ENTRY void evaluate(E const& e, typename Memory::target_type& t, core::execution_request request) {
  using P = usual_statement<E, T, Target, Fit, Dense>;
  expr::binder<E> b;
  bind<0>(b, e);
  if constexpr (is_simple<P, E>()) {
    if (evaluate_row<P, Memory, T, Target::rank>(b, t, request)) [[likely]]
      return;
    expr::binder<E> copy = b;  // so that b itself can stay in registers
    return evaluate_bound<P, Memory, T, Target, Fit, Dense>(copy, t, request);
  } else if constexpr (is_settled<P, Memory, E>()) {
    if (evaluate_directly<P, Memory, T, Target::rank>(b, t, request)) [[likely]]
      return;
  }
  evaluate_bound<P, Memory, T, Target, Fit, Dense>(b, t, request);
}

}  // namespace RICCI_ABI

}  // namespace ricci::exec
RICCI_OPTIMIZED_END
