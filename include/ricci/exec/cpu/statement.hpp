// Evaluation of a lazy expression: the operands of its plan (exec/statement_plan.hpp) are bound, and it is run into the
// memory of the result.
#pragma once

#include <ricci/exec/cpu/evaluate.hpp>
#include <ricci/exec/cpu/run.hpp>
#include <ricci/exec/statement.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {

inline namespace RICCI_ABI {

// Whether argument A may be read while the result is written, for a result of one row, without a closer look where
// ranges meet. (A member, as others below: debuggers are told the name of a class once, the name of a free function
// with all its types each time.)
template <class P>
struct distances {
  template <int A, bool Whole, int Rank, int Size>
  RICCI_INLINE static bool is_apart(operand_ref const& argument, char const* out, index_t const* extents) {
    constexpr plan::hazard danger = plan::hazard_of(P::plan, 0, A);
    constexpr int argument_rank = P::plan.shapes[P::plan.argument_shapes[A]].rank,
                  argument_size = size_of(P::plan.argument_type[A]);
    constexpr plan::argument_memory in = P::plan.argument_in[A];
    if constexpr (danger == plan::hazard::never || argument_size == 0 || in == plan::argument_memory::expression)
      return true;
    else if constexpr (Whole && in == plan::argument_memory::whole_tensor)
      return danger == plan::hazard::unless_same || argument.p != out;
    else {
      if (danger == plan::hazard::unless_same && argument.p == out) return true;
      auto const x = bytes_of(argument, argument_rank, argument_size),
                 y = bytes_of({const_cast<char*>(out), extents, nullptr}, Rank, Size);
      return x.last <= y.first || y.last <= x.first;
    }
  }
};

// The same with its kernels.
template <class P, int Arguments>
struct kernels_of_statement : tables_of_statement<P, Arguments> {
  static constexpr bool is_one_row() {
    if constexpr (P::plan.step_count == 1 && P::plan.buffer_count == 0 && P::plan.elementwise) {
      for (int k = 0; k < P::plan.operand_count; ++k)
        if (P::plan.operands[k].offset != 0) return false;
      return exec::is_row<P, 0>();
    }
    return false;
  }
  static constexpr bool is_row = is_one_row();
  static constexpr row_tables row() {
    if constexpr (is_row) {
      constexpr plan::step_t s = P::plan.steps[0];
      using code = typename kernel::lowered<P, s.kernel>::type;
      using t = plan_tables<P>;
      return {&exec::row<code>::function,
              &run_broadcast_rows,
              t::operands.at + s.first_operand,
              t::strides.at,
              code::slots,
              t::scalars.at + s.first_scalar,
              code::scalars};
    } else {
      return {};
    }
  }
  static constexpr cpu_statement value{tables_of_statement<P, Arguments>::tables, row(), &run_result<P>};
};

// Everything that may happen when an expression is evaluated; its operands have been bound.
template <class P, class Memory, class T, class Target, fit Fit, bool Dense, class E>
RICCI_NOINLINE void evaluate_any(expr::binder<E>& b, typename Memory::target_type& t, core::execution_request request) {
  tables_of_statement<P, expr::binder<E>::arguments>::point_at_numbers(b);
  b.operands[b.arguments] = Memory::target(t);
  core::execution const how = request.with(b.how);
  auto const run = [&]<class Q>(std::type_identity<Q>) {
    index_t dims[dim_capacity<Q>];
    return evaluate_by_tables(kernels_of_statement<Q, expr::binder<E>::arguments>::value, Memory::tables, b.operands,
                              b.slots, dims, const_cast<void*>(static_cast<void const*>(&t)), how);
  };
  if (run(std::type_identity<P>{})) [[likely]]
    return;
  // another plan, for extents that were taken for equal and are not
  if constexpr (P::plan.takes_for_equal && !kernels_of_statement<P, expr::binder<E>::arguments>::is_row)
    run(std::type_identity<general_statement<E, T, Target, Fit, Dense>>{});
}

// Most statements are one row of whole tensors of equal extents, computed by one thread, or one product, into memory
// that is there: then nothing stands between the caller and the loop. Nothing here takes the address of what it
// computes with, or it would have to be written to memory first.
template <class P, class E>
constexpr bool is_simple() {
  if constexpr (P::plan.step_count != 1 || P::plan.buffer_count != 0 ||
                expr::reified<E>::deferred + expr::reified<E>::slots != 0)
    return false;
  else if constexpr (P::plan.used_dim_count > 24 || !P::plan.is_guarded)
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
           is_plain_product<P, 0>();
}
// The one step of such a plan, over operands that are bound in b.
template <class P, class Binder>
struct only_row {
  template <int D>
  RICCI_INLINE static index_t dim_value(Binder const& b, index_t const* dims) {
    constexpr ir::dim_expr d = P::plan.dims[D];
    return evaluate(d, b.operands, nullptr, dims);
  }
  template <int G>
  RICCI_INLINE static bool guard_holds(index_t const* dims) {
    constexpr plan::guard_t guard = P::plan.guards[G];
    return holds(guard, dims);
  }
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
  bool usual = true;
  [&]<int... D, int... G>(std::integer_sequence<int, D...>, std::integer_sequence<int, G...>) RICCI_INLINE_LAMBDA {
    ((dims[P::plan.used_dims[D]] = the_row::template dim_value<P::plan.used_dims[D]>(b, dims)), ...);
    ((usual = usual && the_row::template guard_holds<G>(dims)), ...);
  }
  (std::make_integer_sequence<int, P::plan.used_dim_count>{}, std::make_integer_sequence<int, P::plan.guard_count>{});
  constexpr index_t known = only_extent<P, 0>();
  index_t const n = resolve(known, dims);
  constexpr bool reduces = is_row_reduction<P, 0>(), multiplies = is_plain_product<P, 0>();
  if (!usual || (!multiplies && n >= (reduces ? block_length + 1 : parallel_threshold))) [[unlikely]]
    return false;
  constexpr shape_t shape = P::plan.shapes[P::plan.output_shapes[0]];
  index_t extents[Rank + 1];
  for (int k = 0; k < Rank; ++k) extents[k] = resolve(shape.extent[k], dims);
  char* const out = Memory::memory_for(t, extents, request.with(b.how));
  if (!out) [[unlikely]]
    return false;
  bool const apart = [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
    return (distances<P>::template is_apart<A, Memory::whole, Rank, sizeof(T)>(b.operands[A], out, extents) && ...);
  }
  (std::make_integer_sequence<int, expr::binder<E>::arguments>{});
  if (!apart) [[unlikely]]
    return false;
  index_t done = n;
  the_row::with(b, out, [&]<class Code>(Code, char* const* p, scalar_value const* scalars) RICCI_INLINE_LAMBDA {
    if constexpr (is_expanded<P, 0>())
      expansion<P, 0, Code>::run(std::make_integer_sequence<int, Code::slots>{}, p, scalars);
    else if constexpr (is_small_product<P, 0>())
      run_small_product<P, 0>(p, scalars);
    else if constexpr (multiplies)
      run_plain_product<P, 0>(p, dims, request.with(b.how).threads);
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

// Where an operand is in the way of the result.
RICCI_COLD inline void run_by_way_of_a_copy(void (*run)(index_t const*, operand_ref const*, operand_ref const*, int),
                                            operand_ref const* operands, operand_ref const& out, index_t bytes,
                                            int threads) {
  scratch<256> memory(core::has_heap ? bytes : 0);
  char* const apart = core::has_heap
                          ? memory.data()
                          : static_cast<char*>(__builtin_alloca_with_align(static_cast<std::size_t>(bytes), 512));
  operand_ref const copy{apart, out.extents, nullptr};
  run(nullptr, operands, &copy, threads);
  __builtin_memcpy(out.p, apart, static_cast<std::size_t>(bytes));
}

// A statement of static extents into a tensor in place has nothing to find out but whether an operand is in the way.
template <class P, class Memory, class E>
constexpr bool is_settled() {
  return P::plan.is_static && P::plan.dim_count == 0 && !Memory::target_type::shared && Memory::whole &&
         expr::reified<E>::deferred == 0;
}
template <class P, class Memory, class T, class Target, class E>
RICCI_INLINE void evaluate_settled(expr::binder<E>& b, typename Memory::target_type& t,
                                   core::execution_request request) {
  operand_ref const out = Memory::target(t);
  using tables = tables_of_statement<P, expr::binder<E>::arguments>;
  tables::point_at_numbers(b);
  core::execution const how = request.with(b.how);
  bool const apart = [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
    return !(tables::written_unchecked && Memory::tables.kind != target_kind::fresh) &&
           (distances<P>::template is_apart<A, Memory::whole, Target::rank, sizeof(T)>(b.operands[A], out.p,
                                                                                       out.extents) &&
            ...);
  }
  (std::make_integer_sequence<int, expr::binder<E>::arguments>{});
  if (apart) [[likely]]
    return run_plan<P>(nullptr, b.operands, &out, how.threads);
  run_by_way_of_a_copy(&run_result<P>, b.operands, out, Target::size * index_t(sizeof(T)), how.threads);
}

// The same out of line: simple statements get here only where an operand is in the way.
template <class P, class Memory, class T, class Target, class E>
RICCI_NOINLINE void evaluate_settled_apart(expr::binder<E>& b, typename Memory::target_type& t,
                                           core::execution_request request) {
  evaluate_settled<P, Memory, T, Target>(b, t, request);
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
    if constexpr (is_settled<P, Memory, E>())
      evaluate_settled_apart<P, Memory, T, Target>(copy, t, request);
    else
      evaluate_any<P, Memory, T, Target, Fit, Dense>(copy, t, request);
  } else if constexpr (is_settled<P, Memory, E>()) {
    evaluate_settled<P, Memory, T, Target>(b, t, request);
  } else {
    evaluate_any<P, Memory, T, Target, Fit, Dense>(b, t, request);
  }
}

}  // namespace RICCI_ABI

}  // namespace ricci::exec
RICCI_OPTIMIZED_END
