// One statement over variables as it runs: its value is computed, and a record is put on the tape that knows the way
// back. A record holds shares of the variables that it reads, with the number of their changes so far, of its result,
// and of what is kept between the two programs. Tensors that are no variables may be written to at any time without
// anybody being told, so those that the way back reads are copied.
#pragma once

#include <ricci/autodiff/recorded_statement.hpp>
#include <ricci/autodiff/tape_state.hpp>

namespace ricci::taped {
inline namespace RICCI_ABI {

// f(offset) for the elements of an operand in row-major order
template <class F>
void for_each_element(operand_ref const& x, int rank, F const& f) {
  index_t at[max_rank]{}, step[max_rank]{}, n = 1, offset = 0;
  for (int k = rank - 1; k >= 0; --k) step[k] = x.strides ? x.strides[k] : n, n *= x.extents[k];
  for (; n > 0; --n) {
    f(offset);
    for (int k = rank - 1; k >= 0; --k) {
      offset += step[k];
      if (++at[k] < x.extents[k]) break;
      offset -= step[k] * x.extents[k];
      at[k] = 0;
    }
  }
}

template <class T>
struct arithmetic_of {
  using elements = view<T, dynamic_extents<1>, layout::row_major, false>;
  static void add(char* to, char const* from, index_t bytes, core::execution how) {
    expr::extent_storage<dynamic_extents<1>> n;
    n.set(0, bytes / index_t(sizeof(T)));
    elements const x(reinterpret_cast<T*>(to), n, {}, how.on_host());
    view<T const, dynamic_extents<1>, layout::row_major, false> const y(reinterpret_cast<T const*>(from), n);
    assign(x, x + y);
  }
  static void add_to_part(char* to, char const* from, operand_ref const& part, int rank) {
    auto const* x = reinterpret_cast<T const*>(from);
    for_each_element(part, rank, [&](index_t at) {
      T& y = reinterpret_cast<T*>(to)[at];
      y = static_cast<T>(y + *x++);
    });
  }
  static constexpr arithmetic value{&add, &add_to_part};
};

// The elements of an operand in row-major order.
RICCI_COLD inline void pack_elements(char* to, operand_ref const& x, int rank, int size) {
  if (!x.strides) {
    __builtin_memcpy(to, x.p, static_cast<std::size_t>(core::bytes_of(x.extents, rank, size)));
    return;
  }
  for_each_element(x, rank, [&](index_t at) {
    __builtin_memcpy(to, x.p + at * size, static_cast<std::size_t>(size));
    to += size;
  });
}

template <class E>
constexpr char const* name_of_operation() {
  if constexpr (requires { E::operation::name; })
    return E::operation::name;
  else
    return "an expression";
}

// What binding an expression collects, with its variables.
template <class E>
struct statement_binder : expr::binder<E> {
  shared<variable_state> const* variables[expr::reified<E>::arguments]{};
};

template <class E>
struct statement_record : record {
  using traced = traced_statement<E>;
  using backend = exec::backend_of<expr::host_memory>;
  static constexpr int arguments = traced::arguments, gradients = traced::trace.gradients,
                       kept_count = traced::trace.kept;
  static constexpr auto count_of(auto const& flags) {
    int n = 0;
    for (int k = 0; k < arguments; ++k) n += flags[k];
    return n;
  }
  static constexpr int variable_count = count_of(traced::trace.variable);

  // of each argument, what running has to know of the trace, which is large and stays with the compiler
  struct argument_facts {
    bool variable, number, reads;
    int gradient, rank, size;
  };
  static constexpr auto facts = [] {
    exec::table<argument_facts, arguments> t{};
    auto const& r = traced::trace;
    for (int k = 0; k < arguments; ++k)
      t.at[k] = {r.variable[k], r.number[k], r.reads[k], r.gradient[k], r.rank[k], r.size[k]};
    return t;
  }();
  static constexpr int all_axes = [] {
    int n = 0;
    for (int k = 0; k < arguments; ++k) n += traced::trace.rank[k];
    return n;
  }();
  static constexpr auto reads_of_variables = [] {
    exec::table<bool, variable_count> t{};
    int n = 0;
    for (int k = 0; k < arguments; ++k)
      if (traced::trace.variable[k]) t.at[n++] = traced::trace.reads[k];
    return t;
  }();
  static void run_back(record& r) { static_cast<statement_record&>(r).run_back(); }
  static constexpr record_type type_of_record{name_of_operation<E>(), reads_of_variables.at, traced::trace.reads_result,
                                              &run_back};

  operand_record variables[variable_count];
  operand_ref at[arguments];
  core::any_element numbers[arguments];
  core::shared_buffer copies[arguments], kept[kept_count > 0 ? kept_count : 1];
  index_t axes[all_axes > 0 ? 2 * all_axes : 1];  // of operands that are no whole variables
  index_t slots[expr::reified<E>::slots > 0 ? expr::reified<E>::slots : 1];
  core::execution how;
  bool is_general;

  // ---- forward ----

  // the value, then what is kept; false where the plan is not made for these extents
  template <class P>
  static bool compute(statement_binder<E>& b, core::shared_buffer* out) {
    using plan = typename P::forward;
    exec::point_at_numbers<plan>(static_cast<expr::binder<E>&>(b));
    index_t dims[exec::dim_capacity<plan>]{};
    if (!exec::resolve_dims<plan>(b.operands, b.slots, dims)) return false;
    operand_ref refs[1 + kept_count];
    allocate<plan>(1 + kept_count, &sizes_of_results<plan>.at[0], dims, b.how, out, refs);
    backend::template run<plan>(dims, b.operands, refs, b.how);
    return true;
  }
  template <class Plan>
  static constexpr auto sizes_of_results = [] {
    exec::table<int, Plan::graph.output_count> t{};
    for (int k = 0; k < Plan::graph.output_count; ++k) t.at[k] = size_of(Plan::graph.ins[Plan::graph.outputs[k]].type);
    return t;
  }();
  template <class Plan>
  static void allocate(int n, int const* sizes, index_t const* dims, core::execution how, core::shared_buffer* out,
                       operand_ref* refs) {
    for (int k = 0; k < n; ++k) {
      shape_t const& shape = exec::plan_tables<Plan>::shapes.at[Plan::plan.output_shapes[0] + k];
      index_t extents[max_rank];
      for (int d = 0; d < shape.rank; ++d) extents[d] = exec::resolve(shape.extent[d], dims);
      out[k] = backend::allocate(core::bytes_of(extents, shape.rank, sizes[k]), how);
      for (int d = 0; d < shape.rank; ++d) out[k].header().extents[d] = extents[d];
      out[k].header().how = how;
      refs[k] = {backend::data(out[k]), out[k].header().extents, nullptr};
    }
  }
  // what the way back needs of the operands
  void take(statement_binder<E> const& b) {
    index_t* to = axes;
    for (int k = 0, v = 0; k < arguments; ++k) {
      auto const& f = facts.at[k];
      if (f.variable) variables[v++] = {*b.variables[k], (*b.variables[k])->version()};
      if (f.number) {
        numbers[k] = b.numbers[k];
        at[k] = {numbers[k].bytes, nullptr, nullptr};
        continue;
      }
      at[k] = b.operands[k];
      if (f.variable && !at[k].strides && at[k].extents == (*b.variables[k])->value.header().extents) continue;
      for (int d = 0; d < f.rank; ++d) to[d] = at[k].extents[d];
      at[k].extents = to;
      to += f.rank;
      if (f.variable && at[k].strides) {
        for (int d = 0; d < f.rank; ++d) to[d] = at[k].strides[d];
        at[k].strides = to;
        to += f.rank;
      } else if (!f.variable && f.reads) {
        copies[k] = backend::allocate(core::bytes_of(at[k].extents, f.rank, f.size), b.how);
        pack_elements(copies[k].data(), at[k], f.rank, f.size);
        at[k].p = copies[k].data(), at[k].strides = nullptr;
      } else if (!f.variable) {
        at[k].p = nullptr, at[k].strides = nullptr;
      }
    }
    if constexpr (expr::reified<E>::slots > 0)
      for (int k = 0; k < expr::reified<E>::slots; ++k) slots[k] = b.slots[k];
    how = b.how;
  }

  // ---- backward ----

  void run_back() {
    if constexpr (gradients > 0) {
      if constexpr (usual_program<E>::forward::plan.takes_for_equal)
        if (is_general) return pull<general_program<E>>();
      pull<usual_program<E>>();
    }
  }
  template <class P>
  void pull() {
    using plan = typename P::backward;
    operand_ref refs[traced::at_kept + (kept_count > 0 ? kept_count : 1)];
    for (int k = 0; k < arguments; ++k) refs[k] = at[k];
    index_t const* const extents = result->value.header().extents;
    refs[traced::at_cotangent] = {result->cotangent.memory.data(), extents, nullptr};
    refs[traced::at_result] = {result->value.data(), extents, nullptr};
    for (int k = 0; k < kept_count; ++k)
      refs[traced::at_kept + k] = {kept[k].data(), kept[k].header().extents, nullptr};
    index_t dims[exec::dim_capacity<plan>]{};
    exec::resolve_dims<plan>(refs, slots, dims);
    core::shared_buffer parts[gradients];
    operand_ref out[gradients];
    allocate<plan>(gradients, &sizes_of_results<plan>.at[0], dims, how, parts, out);
    backend::template run<plan>(dims, refs, out, how);
    for (int k = 0, v = 0; k < arguments; ++k) {
      auto const& f = facts.at[k];
      if (!f.variable) continue;
      variable_state& x = *variables[v++].of;
      if (f.gradient < 0 || !x.requires_grad) continue;
      if (at[k].extents == x.value.header().extents)
        x.accumulate(x.sum(), static_cast<core::shared_buffer&&>(parts[f.gradient]));
      else
        x.accumulate(x.sum(), parts[f.gradient], at[k], f.rank);
    }
  }
};

// Whose variables a statement reads: their tape, and whether one of them wants a gradient.
struct tape_of_statement {
  shared<tape_state> const* tape = nullptr;
  bool wants_grad = false;

  void add(char const* operation, variable_state& x) {
    if (tape && !(*tape == x.tape))
      core::raise<tape_error>(core::text() << operation << ": its variables belong to two tapes");
    tape = &x.tape;
    wants_grad = wants_grad || x.requires_grad;
  }
  bool is_recorded(char const* operation) const {
    tape_state const& t = **tape;
    if (!wants_grad || t.paused > 0) return false;
    if (t.is_gone)
      core::raise<tape_error>(core::text() << operation << ": the tape of its variables is gone; "
                                           << "x.value() is a tensor");
    return true;
  }
};

// The value of an expression of variables, recorded where one of them wants a gradient. Nothing is changed where it
// raises an error. Check: of the extents, null where there is nothing to check.
template <class E>
shared<variable_state> run_statement(E const& e, decltype(exec::target_type::check) check) {
  using T = typename E::value_type;
  static_assert(is_floating(dtype_of<T>),
                "a variable holds real floating numbers: of conditions and integers, rc::eval gives a tensor");
  static_assert((expr::reified<E>::memory & ~expr::host_memory) == 0, "variables lie on the host, not on a device");
  using R = statement_record<E>;
  statement_binder<E> b;
  bind<0>(b, e);
  tape_of_statement of;
  for (int k = 0; k < R::arguments; ++k)
    if (R::facts.at[k].variable) of.add(name_of_operation<E>(), **b.variables[k]);
  bool const is_recorded = of.is_recorded(name_of_operation<E>());

  core::shared_buffer out[1 + R::kept_count];
  bool is_general = false;
  if (!R::template compute<usual_program<E>>(b, out))
    if constexpr (usual_program<E>::forward::plan.takes_for_equal)
      R::template compute<general_program<E>>(b, out), is_general = true;
  if (check) check(out[0].header().extents);
  auto const y = shared<variable_state>::made(static_cast<core::shared_buffer&&>(out[0]), E::rank,
                                              &arithmetic_of<T>::value, *of.tape, is_recorded);
  if (!is_recorded) return y;

  auto const r = shared<R>::made();
  r->type = &R::type_of_record;
  r->result = y;
  r->operands = r->variables;
  r->count = R::variable_count;
  r->is_general = is_general;
  r->take(b);
  for (int k = 0; k < R::kept_count; ++k) r->kept[k] = static_cast<core::shared_buffer&&>(out[1 + k]);
  tape_state& t = **of.tape;
  t.records.reserve(t.size + 1);
  r->number = y->statement = ++t.statements;
  t.records[t.size++] = r.memory();
  return y;
}

}  // namespace RICCI_ABI
}  // namespace ricci::taped
