// Evaluation of a lazy expression: its type is turned into a plan once, by the compiler; then its operands are bound and the
// plan is run into the memory of the result.
#pragma once

#include <ricci/exec/alias.hpp>
#include <ricci/exec/stretch.hpp>
#include <ricci/exec/run.hpp>
#include <ricci/exec/scratch.hpp>
#include <ricci/expr/reify.hpp>
#include <ricci/transform/plan/alias.hpp>
#include <ricci/transform/plan/build.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::exec {

// How a result goes with the extents of its target: it has its own, must have those, or is stretched to them.
enum class fit : std::uint8_t { free, exact, stretched };

// The graph of an expression of type E, converted to element type T. Dense: the result is written in row-major order. Assume:
// extents that may be 1 are taken for equal.
template <class E, class T, class Target, fit Fit, bool Dense, bool Assume>
struct statement {
  struct recorded {
    ir::graph g;
    bool dense[512], whole[512], number[512];
  };
  static constexpr recorded record() {
    recorded r{};
    r.g.assume_equal = Assume;
    expr::reifier<ir::statement> into{r.g};
    auto v = ir::cast(expr::reified<E>::value(into), dtype_of<T>);
    if constexpr (Fit != fit::free) {
      ir::graph_context<ir::graph> c{r.g, nullptr, v.shape_id(), v.shape_id()};
      shape_t to{};
      for (int k = 0; k < Target::rank; ++k) {
        index_t const e = Target::extent(k);
        to.push(Fit == fit::stretched || e >= 0 ? into.extent(e, into.arguments, k) : v.shape().extent[k]);
      }
      c.left = ir::intern(r.g, to);
      for (int k = 0, off = to.rank - v.rank(); k < v.rank(); ++k) {
        if (Fit == fit::exact) c.same(to.extent[k + off], v.shape().extent[k]);
        else c.stretch(to.extent[k + off], v.shape().extent[k]);
      }
      v = ir::broadcast_to(v, ir::intern(r.g, to));
    }
    r.g.outputs[r.g.output_count++] = v.id;
    for (int k = 0; k < into.arguments; ++k) r.dense[k] = into.dense[k], r.whole[k] = into.whole[k], r.number[k] = into.number[k];
    return r;
  }
  static constexpr plan::plan_t make() {
    recorded const r = record();
    bool const dense = Dense;
    auto p = plan::planned(transform::finished<ir::statement>(r.g, level::exact), {r.dense, expr::reified<E>::arguments}, {&dense, 1});
    for (int k = 0; k < expr::reified<E>::arguments; ++k) 
      p.argument_in[k] = r.number[k] ? plan::argument_memory::expression : r.whole[k] ? plan::argument_memory::whole_tensor : plan::argument_memory::part_of_a_tensor;
    return p;
  }
  static constexpr plan::plan_t plan = make();
  // whether some extents were taken for equal, so that there is another plan for when they are not
  static constexpr bool assumes = [] {
    for (int k = 0; k < plan.check_count; ++k)
      if (plan.checks[k].kind >= ir::check_kind::assumed_equal) return true;
    return false;
  }();
};

inline namespace RICCI_ABI {

// What a plan keeps while it runs.
template <class P>
struct run_state {
  index_t dims[P::plan.dim_count > 0 ? P::plan.dim_count : 1];
  index_t offsets[P::plan.buffer_count > 0 ? P::plan.buffer_count : 1];
};

inline constexpr index_t stack_workspace = 16384;

// `keep`: memory that a caller has for the intermediate values, made larger where it is too small.
template <class P>
RICCI_INLINE void run_plan(run_state<P>& s, operand_ref const* arguments, operand_ref const* outputs, int threads,
                           core::shared_buffer* keep = nullptr) {
  if constexpr (P::plan.buffer_count == 0) {
    run_steps<P>({arguments, outputs, nullptr, s.dims, s.offsets, threads});
  } else if (keep) {
    index_t const bytes = resolve_buffers<P>(s.dims, s.offsets);
    if (keep->bytes() < bytes) *keep = core::shared_buffer(bytes);
    run_steps<P>({arguments, outputs, keep->data(), s.dims, s.offsets, threads});
  } else if constexpr (P::plan.is_static) {
    resolve_buffers<P>(s.dims, s.offsets);
    if constexpr (P::plan.workspace <= 4 * stack_workspace) {
      alignas(64) char workspace[P::plan.workspace > 0 ? P::plan.workspace : 1];
      run_steps<P>({arguments, outputs, workspace, s.dims, s.offsets, threads});
    } else {
      scratch<0> workspace(P::plan.workspace);
      run_steps<P>({arguments, outputs, workspace.data(), s.dims, s.offsets, threads});
    }
  } else {
    scratch<stack_workspace> workspace(resolve_buffers<P>(s.dims, s.offsets));
    run_steps<P>({arguments, outputs, workspace.data(), s.dims, s.offsets, threads});
  }
}

// Whether an output may be written while the arguments are read.
template <class P, int Output, int A, bool Whole>
RICCI_INLINE bool may_write_beside(operand_ref const* arguments, operand_ref const& result, int rank, int size) {
  constexpr plan::hazard danger = plan::hazard_of(P::plan, Output, A);
  constexpr int argument_rank = P::plan.shapes[P::plan.argument_shapes[A]].rank, argument_size = size_of(P::plan.argument_type[A]);
  constexpr plan::argument_memory in = P::plan.argument_in[A];
  if constexpr (danger == plan::hazard::never || argument_size == 0 || in == plan::argument_memory::expression) return true;
  // whole tensors are the same one, or apart
  else if constexpr (Whole && in == plan::argument_memory::whole_tensor) return danger == plan::hazard::unless_same || arguments[A].p != result.p;
  else if (danger == plan::hazard::unless_same && arguments[A].p == result.p) return true;
  else return !overlap(arguments[A], argument_rank, argument_size, result, rank, size);
}
template <class P, int Output, int Arguments, bool Whole>
RICCI_INLINE bool may_write(operand_ref const* arguments, operand_ref const& result, int rank, int size) {
  return [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
    return (may_write_beside<P, Output, A, Whole>(arguments, result, rank, size) && ...);
  }(std::make_integer_sequence<int, Arguments>{});
}

// The same for a result of one row, without a closer look where ranges meet.
template <class P, int A, bool Whole, int Rank, int Size>
RICCI_INLINE bool is_apart(operand_ref const& argument, char const* out, index_t const* extents) {
  constexpr plan::hazard danger = plan::hazard_of(P::plan, 0, A);
  constexpr int argument_rank = P::plan.shapes[P::plan.argument_shapes[A]].rank, argument_size = size_of(P::plan.argument_type[A]);
  constexpr plan::argument_memory in = P::plan.argument_in[A];
  if constexpr (danger == plan::hazard::never || argument_size == 0 || in == plan::argument_memory::expression) return true;
  else if constexpr (Whole && in == plan::argument_memory::whole_tensor) return danger == plan::hazard::unless_same || argument.p != out;
  else {
    if (danger == plan::hazard::unless_same && argument.p == out) return true;
    auto const x = bytes_of(argument, argument_rank, argument_size), y = bytes_of({const_cast<char*>(out), extents, nullptr}, Rank, Size);
    return x.last <= y.first || y.last <= x.first;
  }
}

// As many threads as the target or an operand asks for; a negative number asks for exactly so many.
RICCI_INLINE constexpr int threads_for(int operands, int target) {
  return target < 0 ? -target : operands > target ? operands : target;
}

// Runs P with its operands bound. `memory.place(out, extents, may_write)` says where the result goes, once its extents are known;
// `memory.commit()` follows when it is there.
template <class P, class E, class T, int Rank, class Memory, class Binder>
RICCI_INLINE void run_statement(run_state<P>& s, Binder const& b, Memory& memory, int threads) {
  constexpr int arguments = expr::reified<E>::arguments;
  constexpr shape_t shape = P::plan.shapes[P::plan.output_shapes[0]];
  index_t extents[Rank > 0 ? Rank : 1];
  for (int k = 0; k < Rank; ++k) extents[k] = resolve(shape.extent[k], s.dims);
  int const most = threads_for(b.threads, threads);
  operand_ref const out = memory.place(extents, most, [&](operand_ref const& r) RICCI_INLINE_LAMBDA {
    return may_write<P, 0, arguments, Memory::whole>(b.operands, r, Rank, size_of(dtype_of<T>));
  });
  run_plan<P>(s, b.operands, &out, most);
  memory.commit();
}

// Extents that were taken for equal are not. Where nothing but elementwise operations are done, the arguments that are 1 there are
// stretched in memory, and the plan serves as it is.
template <class P, class Binder>
RICCI_COLD void stretch_arguments(run_state<P>& s, Binder& b, stretched_argument* copies) {
  using t = plan_tables<P>;
  stretch_dims(t::dims.at, t::dim_equal.at, P::plan.dim_count, s.dims);
  for (int a = 0; a < P::plan.argument_count; ++a)
    stretch(copies[a], b.operands[a], t::shapes.at[t::arguments.at[a].shape], t::arguments.at[a].size, s.dims);
  stretch_strides(t::dims.at, P::plan.dim_count, b.operands, b.slots, s.dims);
}
// Else there is another plan, for symbols that may differ.
template <class P, class E, class T, int Rank, class Memory, class Binder>
RICCI_COLD void run_general(Binder const& b, Memory& memory, int threads) {
  run_state<P> s;
  resolve_dims<P>(b.operands, b.slots, s.dims);
  run_statement<P, E, T, Rank>(s, b, memory, threads);
}

// Points at the numbers that the expression holds.
template <class P, class Binder>
RICCI_INLINE void point_at_numbers(Binder& b) {
  [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
    ((P::plan.argument_in[A] == plan::argument_memory::expression
          ? void(b.operands[A] = {reinterpret_cast<char*>(&b.numbers[A]), nullptr, nullptr})
          : void()),
     ...);
  }(std::make_integer_sequence<int, Binder::arguments>{});
}

// Everything that may happen when an expression is evaluated.
template <class P, class Memory, class T, class Target, fit Fit, bool Dense, class E>
RICCI_NOINLINE void evaluate_any(E const& e, typename Memory::target_type& t, int threads) {
  expr::binder<E> b;
  bind<0>(b, e);
  point_at_numbers<P>(b);
  b.operands[b.arguments] = Memory::target(t);
  run_state<P> s;
  bool const fits = resolve_dims<P>(b.operands, b.slots, s.dims);
  Memory memory{t};
  if constexpr (P::assumes && !P::plan.elementwise) {
    if (!fits) [[unlikely]] return run_general<statement<E, T, Target, Fit, Dense, false>, E, T, Target::rank>(b, memory, threads);
  }
  if constexpr (P::assumes && P::plan.elementwise) {
    stretched_argument copies[P::plan.argument_count];
    if (!fits) [[unlikely]] stretch_arguments<P>(s, b, copies);
    run_statement<P, E, T, Target::rank>(s, b, memory, threads);
  } else {
    run_statement<P, E, T, Target::rank>(s, b, memory, threads);
  }
}

// Most statements are one row of whole tensors of equal extents, computed by one thread into memory that is there: then nothing
// stands between the caller and the loop. Nothing here takes the address of what it computes with, or it would have to be written
// to memory first.
template <class P, class E>
constexpr bool is_simple() {
  if constexpr (P::plan.step_count != 1 || P::plan.buffer_count != 0 || expr::reified<E>::deferred + expr::reified<E>::slots != 0) return false;
  else if constexpr (P::plan.dim_count > 24) return false;
  else return is_row<P, 0>() || is_small_product<P, 0>();
}
template <class P, int D, class Binder>
RICCI_INLINE index_t dim_value(Binder const& b, index_t const* dims) {
  constexpr ir::dim_expr d = P::plan.dims[D];
  return evaluate(d, b.operands, nullptr, dims);
}
// where operand O of the plan lies; results are at `out`
template <class P, int O, class Binder>
RICCI_INLINE char* row_pointer(Binder& b, char* out, index_t const* dims) {
  constexpr plan::operand_t o = P::plan.operands[O];
  char* base = out;
  if constexpr (o.where == plan::home::argument) {
    if constexpr (P::plan.argument_in[o.index] == plan::argument_memory::expression) base = reinterpret_cast<char*>(&b.numbers[o.index]);
    else base = b.operands[o.index].p;
  }
  return base + resolve(o.offset, dims) * size_of(o.type);
}
template <class P, int S>
RICCI_INLINE scalar_value row_scalar(index_t const* dims) {
  constexpr plan::scalar_t s = P::plan.scalars[S];
  return scalar_from(s, dims);
}
template <class P, class Memory, class T, int Rank, class E>
RICCI_INLINE bool evaluate_row(E const& e, typename Memory::target_type& t, int threads) {
  expr::binder<E> b;
  bind<0>(b, e);
  b.operands[b.arguments] = Memory::target(t);
  index_t dims[P::plan.dim_count + 1];
  bool usual = true;
  [&]<int... D, int... C>(std::integer_sequence<int, D...>, std::integer_sequence<int, C...>) RICCI_INLINE_LAMBDA {
    ((dims[D] = dim_value<P, D>(b, dims)), ...);
    ((usual = usual && resolve(P::plan.checks[C].a, dims) == resolve(P::plan.checks[C].b, dims)), ...);
  }(std::make_integer_sequence<int, P::plan.dim_count>{}, std::make_integer_sequence<int, P::plan.check_count>{});
  constexpr index_t known = only_extent<P, 0>();
  index_t const n = resolve(known, dims);
  if (!usual || n >= parallel_threshold) [[unlikely]] return false;
  constexpr shape_t shape = P::plan.shapes[P::plan.output_shapes[0]];
  index_t extents[Rank + 1];
  for (int k = 0; k < Rank; ++k) extents[k] = resolve(shape.extent[k], dims);
  char* const out = Memory::room_for(t, extents, threads_for(b.threads, threads));
  if (!out) [[unlikely]] return false;
  using code = typename kernel::lowered<P, P::plan.steps[0].kernel>::type;
  return [&]<int... A, int... S, int... C>(std::integer_sequence<int, A...>, std::integer_sequence<int, S...>,
                                           std::integer_sequence<int, C...>) RICCI_INLINE_LAMBDA {
    if (!(is_apart<P, A, Memory::whole, Rank, sizeof(T)>(b.operands[A], out, extents) && ...)) [[unlikely]] return false;
    char* const p[] = {row_pointer<P, P::plan.steps[0].first_operand + S>(b, out, dims)..., nullptr};
    scalar_value const scalars[] = {row_scalar<P, P::plan.steps[0].first_scalar + C>(dims)..., {}};
    if constexpr (is_small_product<P, 0>()) run_small_product<P, 0>(p, scalars);
    else row<code>::run(p, scalars, known >= 0 ? known : n);
    return true;
  }(std::make_integer_sequence<int, expr::reified<E>::arguments>{}, std::make_integer_sequence<int, P::plan.kernels[P::plan.steps[0].kernel].slots>{},
    std::make_integer_sequence<int, code::scalars>{});
}

// Evaluates e as elements of type T into the memory of t, on `threads_for` its operands and that number.
template <class Memory, class T, class Target, fit Fit, bool Dense, class E>
RICCI_INLINE void evaluate(E const& e, typename Memory::target_type& t, int threads) {
  using P = statement<E, T, Target, Fit, Dense, true>;
  if constexpr (is_simple<P, E>()) {
    if (evaluate_row<P, Memory, T, Target::rank>(e, t, threads)) [[likely]] return;
    E const copy(e);  // so that e itself can stay in registers
    evaluate_any<P, Memory, T, Target, Fit, Dense>(copy, t, threads);
  } else {
    evaluate_any<P, Memory, T, Target, Fit, Dense>(e, t, threads);
  }
}

// The extents of the value of e, without computing it.
template <class E>
RICCI_NOINLINE void extents_of_result(E const& e, index_t* to) {
  constexpr int rank = E::extents::rank;
  expr::binder<E> b;
  bind<0>(b, e);
  auto const read = [&]<class P>(std::type_identity<P>) {
    run_state<P> s;
    if (!resolve_dims<P>(b.operands, b.slots, s.dims)) return false;
    constexpr shape_t shape = P::plan.shapes[P::plan.output_shapes[0]];
    for (int k = 0; k < rank; ++k) to[k] = resolve(shape.extent[k], s.dims);
    return true;
  };
  using T = typename E::value_type;
  using fast = statement<E, T, typename E::extents, fit::free, true, true>;
  if (!read(std::type_identity<fast>{}))
    if constexpr (fast::assumes) read(std::type_identity<statement<E, T, typename E::extents, fit::free, true, false>>{});
}

}  // namespace RICCI_ABI

}  // namespace ricci::exec
