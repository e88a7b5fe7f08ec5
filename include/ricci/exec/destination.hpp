// Where results go: whether one may be computed where it is to be while the operands are read, the memory that it is
// computed in where it may not, and how it comes to its place then. That is decided here, once for statements and
// functions on all backends; what needs no type is compiled once.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/exec/alias.hpp>
#include <ricci/exec/program.hpp>
#include <ricci/transform/plan/alias.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Where a result goes: to a new tensor, to the elements of one that exists, or to those of a view.
enum class target_kind : std::uint8_t { fresh, existing, part };
struct target_type {
  target_kind kind;
  bool shared;  // has counted memory
  bool fixed;   // has the extents that its type or a view has
  int rank, size;
  void (*refer)(
      void*,
      operand_ref& to);  // (by reference: a struct returned in memory would be read before its stores have arrived)
  // gives it another block
  void (*adopt)(void*, core::shared_buffer&&, index_t const* extents, core::execution how);
  // raises a shape_error for extents that its type cannot have; null where it can have any, or is fixed
  void (*check)(index_t const* extents);

  constexpr bool takes_memory() const { return shared && kind != target_kind::part; }
};
struct target {
  target_type const* type;
  void* object;
};

// What there is to know of a program where no type is.
struct program_tables {
  dim_tables dims;
  argument_entry const* arguments;
  plan::argument_memory const* in;
  plan::hazard const* hazards;       // of each result and argument
  bool const* unchecked;             // whether a result is written before all errors have been raised that there may be
  int const *shapes, *exact_shapes;  // of results: in the plan, and as they were recorded
  int argument_count, result_count;
  void (*run)(index_t const* dims, operand_ref const* arguments, operand_ref const* results, core::execution how,
              core::shared_buffer* keep);
  // the same where extents that were taken for equal are not; null where that takes another plan
  void (*run_broadcast)(program_tables const&, index_t const* dims, operand_ref const* arguments,
                        operand_ref const& result, core::execution how);
};

template <Program P>
struct results_of {
  static constexpr int results = P::plan.output_count, arguments = P::plan.argument_count;
  template <int N>
  static constexpr table<plan::touched, N> touched_of(plan::home where) {
    table<plan::touched, N> t{};
    plan::touched_by(P::plan, where, t.at, N);
    return t;
  }
  static constexpr auto touched_results = touched_of<results>(plan::home::output);
  static constexpr auto touched_arguments = touched_of<arguments>(plan::home::argument);
  static constexpr auto hazards = [] {
    table<plan::hazard, results * arguments> t{};
    for (int k = 0; k < results; ++k) {
      plan::touched const written = touched_results.at[k];
      for (int a = 0; a < arguments; ++a)  // (a training has 10,000 pairs and more, most of them apart in time)
        if (plan::touched const read = touched_arguments.at[a]; read.last >= written.first)
          t.at[k * arguments + a] = plan::hazard_of(P::plan, k, written, a, read);
    }
    return t;
  }();
  // whether a result is written before it is known that nothing is raised: before checks, and where a backend may fail
  // in any step, before the last one
  template <class Backend>
  static constexpr auto unchecked = [] {
    table<bool, results> t{};
    int const sure = Backend::may_fail_in_any_step ? P::plan.step_count - 1 : P::plan.last_check;
    for (int k = 0; k < results && sure > 0; ++k) t.at[k] = plan::is_written_before(sure, touched_results.at[k]);
    return t;
  }();
  template <class Backend>
  static constexpr bool all_are_checked = [] {
    for (int k = 0; k < results; ++k)
      if (unchecked<Backend>.at[k]) return false;
    return true;
  }();
  static constexpr auto in = tables::exact<arguments>(P::plan.argument_in);
  static constexpr auto shapes = tables::exact<results>(P::plan.output_shapes);
  static constexpr auto exact_shapes = tables::exact<results>(P::plan.exact_shapes);
  template <class Backend>
  static constexpr program_tables with(decltype(program_tables::run) run,
                                       decltype(program_tables::run_broadcast) run_broadcast = nullptr) {
    return {dims_of<P>(),
            plan_tables<P>::arguments.at,
            in.at,
            hazards.at,
            unchecked<Backend>.at,
            shapes.at,
            exact_shapes.at,
            arguments,
            results,
            run,
            run_broadcast};
  }

  // Whether argument A may be read while result K, a whole tensor or not, is written, as far as that shows without a
  // closer look: it may say no where may_write says yes. (A member: debuggers are told the name of a class once, the
  // name of a free function with all its types each time.)
  template <int K, int A, bool Whole>
  RICCI_INLINE static bool is_apart(operand_ref const& argument, operand_ref const& out, int size) {
    constexpr plan::hazard danger = hazards.at[K * arguments + A];
    constexpr int argument_rank = P::plan.shapes[P::plan.argument_shapes[A]].rank,
                  argument_size = size_of(P::plan.argument_type[A]),
                  rank = P::plan.shapes[P::plan.output_shapes[K]].rank;
    constexpr plan::argument_memory memory = P::plan.argument_in[A];
    if constexpr (danger == plan::hazard::never || argument_size == 0 || memory == plan::argument_memory::expression)
      return true;
    else if constexpr (Whole && memory == plan::argument_memory::whole_tensor)
      return danger == plan::hazard::unless_same || argument.p != out.p;
    else {
      if (danger == plan::hazard::unless_same && argument.p == out.p) return true;
      return !range_here(argument, argument_rank, argument_size).meets(range_here(out, rank, size));
    }
  }
};

// Whether an argument has the extents of the result: none of its axes is broadcast.
RICCI_COLD inline bool is_not_broadcast(operand_ref const& x, int x_rank, operand_ref const& result, int rank) {
  bool same = x_rank == rank;
  for (int k = 0; k < rank && same; ++k) same = x.extents[k] == result.extents[k];
  return same;
}
// Whether it lies as the result does.
RICCI_COLD inline bool is_alike(operand_ref const& x, int x_rank, operand_ref const& result, int rank) {
  bool same = is_not_broadcast(x, x_rank, result, rank);
  index_t run = 1;
  for (int k = rank - 1; k >= 0 && same; --k) {
    same = x.extents[k] == 1 || (x.strides ? x.strides[k] : run) == (result.strides ? result.strides[k] : run);
    run *= x.extents[k];
  }
  return same;
}
// Whether result k may be written at `out` while the arguments are read. Whole tensors are the same one, or apart.
// Fits: the plan's hazards are those of the arguments as they are; else some are broadcast.
RICCI_NOINLINE inline bool may_write(program_tables const& p, int k, operand_ref const* arguments,
                                     operand_ref const& out, target_type const& to, bool fits) {
  if (p.unchecked[k]) return false;
  bool const whole = to.kind != target_kind::part;
  for (int a = 0; a < p.argument_count; ++a) {
    auto const danger = p.hazards[k * p.argument_count + a];
    auto const& x = p.arguments[a];
    if (danger == plan::hazard::never || x.size == 0 || p.in[a] == plan::argument_memory::expression) continue;
    int const x_rank = p.dims.shapes[x.shape].rank;
    bool const same = arguments[a].p == out.p;
    if (danger == plan::hazard::unless_same && same && (fits || is_not_broadcast(arguments[a], x_rank, out, to.rank)))
      continue;
    if (danger == plan::hazard::unless_alike && same && is_alike(arguments[a], x_rank, out, to.rank)) continue;
    if (whole && p.in[a] == plan::argument_memory::whole_tensor
            ? same
            : overlap(arguments[a], x_rank, x.size, out, to.rank, to.size))
      return false;
  }
  return true;
}

[[noreturn]] RICCI_COLD inline void raise_other_extents(target_type const& to, index_t const* target,
                                                        index_t const* extents) {
  core::text t;
  if (to.kind == target_kind::part)
    (t << "assignment: ").shape(target, to.rank) << ' ';
  else
    (t << "into: ").shape(target, to.rank) << " for a result of shape ";
  core::raise<shape_error>(t.shape(extents, to.rank));
}

// A result that is computed apart from its target.
struct placed_result {
  bool in_place;
  char* first;  // where the memory of the target begins of which a part is written
  index_t bytes;
  index_t extents[max_rank];
  core::shared_buffer memory;
};

// Where result k is computed: in its target, or in r.bytes of memory of its own, in which `out` is yet to be placed.
RICCI_INLINE void place(program_tables const& p, int k, target const& to, operand_ref const* arguments,
                        index_t const* dims, bool fits, placed_result& r, operand_ref& out) {
  target_type const& type = *to.type;
  shape_t const& shape = p.dims.shapes[fits ? p.shapes[k] : p.exact_shapes[k]];
  for (int d = 0; d < type.rank; ++d) r.extents[d] = resolve(shape.extent[d], dims);
  if (type.check) type.check(r.extents);
  bool const is_new = type.kind == target_kind::fresh;
  r.in_place = false;
  if (is_new && type.shared) {
    out.p = nullptr;
  } else {
    type.refer(to.object, out);
    bool same = true;
    for (int d = 0; d < type.rank; ++d) same = same && out.extents[d] == r.extents[d];
    if (!same && type.fixed) raise_other_extents(type, out.extents, r.extents);
    r.in_place = same && (is_new || may_write(p, k, arguments, out, type, fits));
    if (r.in_place) return;
  }
  if (type.kind == target_kind::part) {
    byte_range<char const*> const span = range_of(out, type.rank, type.size);
    r.first = const_cast<char*>(span.begin), r.bytes = span.end - span.begin;
  } else {
    r.first = out.p, r.bytes = core::bytes_of(r.extents, type.rank, type.size);
    out.extents = r.extents, out.strides = nullptr;
  }
}

// A program as a backend runs it, where no type is needed.
template <class Backend, Program P>
RICCI_NOINLINE void run_on(index_t const* dims, operand_ref const* arguments, operand_ref const* results,
                           core::execution how, core::shared_buffer* keep) {
  Backend::template run<P>(dims, arguments, results, how, keep);
}
template <class Backend, Program P>
struct program_on {
  static constexpr bool broadcasts = false;
  static constexpr program_tables value = results_of<P>::template with<Backend>(&run_on<Backend, P>);
};

// Runs a program into its targets; false where its plan is not made for the extents of its arguments. Nothing that was
// there is changed before all has been computed, but where `may_write` said that nothing can stop that. `at` and `out`
// have room for all results.
template <class Backend>
RICCI_NOINLINE bool evaluate_into(program_tables const& p, target const* targets, operand_ref const* arguments,
                                  index_t const* slots, index_t* dims, core::execution how, core::shared_buffer* keep,
                                  placed_result* at, operand_ref* out) {
  bool const fits = resolve_dims(p.dims, arguments, slots, dims);
  if (!fits && !p.run_broadcast) return false;
  index_t stack_left = Backend::most_on_stack;
  for (int k = 0; k < p.result_count; ++k) {
    placed_result& r = at[k];
    place(p, k, targets[k], arguments, dims, fits, r, out[k]);
    if (r.in_place) continue;
    char* apart = nullptr;
    if (targets[k].type->takes_memory() || r.bytes > stack_left)
      r.memory = Backend::allocate(r.bytes, how), apart = Backend::data(r.memory);
    else
      stack_left -= r.bytes,
          apart = static_cast<char*>(__builtin_alloca_with_align(static_cast<std::size_t>(r.bytes), 512));
    out[k].p = apart + (out[k].p - r.first);
  }
  if (fits)
    p.run(dims, arguments, out, how, keep);
  else
    p.run_broadcast(p, dims, arguments, *out, how);
  for (int k = 0; k < p.result_count; ++k) {
    placed_result& r = at[k];
    target_type const& type = *targets[k].type;
    if (r.in_place) continue;
    if (type.takes_memory()) {
      type.adopt(targets[k].object, static_cast<core::shared_buffer&&>(r.memory), r.extents, how);
    } else if (type.kind != target_kind::part) {
      __builtin_memcpy(r.first, out[k].p, static_cast<std::size_t>(r.bytes));
    } else {
      operand_ref to;
      type.refer(targets[k].object, to);
      Backend::copy_back(to, out[k].p, type.rank, type.size, how);
    }
  }
  return true;
}

// The same for one result of a few bytes, of which nothing is left to find out but that an operand is in its way.
template <class Backend, Program P, index_t Bytes>
RICCI_INLINE void evaluate_by_way_of_a_copy(operand_ref const* arguments, operand_ref const& out, core::execution how) {
  alignas(64) char apart[Bytes > 0 ? Bytes : 1];
  operand_ref const copy{apart, out.extents, nullptr};
  run_on<Backend, P>(nullptr, arguments, &copy, how, nullptr);
  __builtin_memcpy(out.p, apart, static_cast<std::size_t>(Bytes));
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
