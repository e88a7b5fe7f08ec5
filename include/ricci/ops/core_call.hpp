// Calls: operations that bring a loop of their own (graph/core_signature.hpp). The struct says everything once:
//
//   name, core     what it is called, and over which axes its loop runs
//   run            that loop, for one core: plain, so that the compiler, the interpreter and devices run it, too
//   jvp, vjp       its derivatives, on values, as other operations have them
//
// and, where the default is not what it wants: `types` of operands and results, `operand_type`, `dense_axes`,
// `workspace`, `refuses`, `checked`, `operations`, `extents` of letters that stand in results alone; `run_in_lanes`,
// which is given several cores at once (exec/cpu/cores_in_lanes.hpp; ops/solve.hpp has one), and `is_for_lanes`, where
// that is not so of all extents. docs/operations.md has an example.
#pragma once

#include <tuple>

#include <ricci/core/errors.hpp>
#include <ricci/ops/reduce.hpp>

namespace ricci {

// An array of a call, as its loop sees it: the elements of one core. `x(i, j)`.
template <class T, int Rank>
struct core_view {
  T* p;
  index_t stride[Rank > 0 ? Rank : 1];  // in elements
  template <class... I>
  requires(sizeof...(I) == Rank) RICCI_HD constexpr T& operator()(I... i) const {
    index_t at = 0;
    [[maybe_unused]] int axis = 0;
    ((at += static_cast<index_t>(i) * stride[axis++]), ...);
    return p[at];
  }
};
// What it is given beside them: extents by letter, attributes behind the axis, and memory of its own.
template <class Work>
struct core_arguments {
  index_t const* extents;
  index_t const* attributes;
  Work* workspace;
};
// The same where extents are part of the type: what a loop may be unrolled by. `extent_of_core<C>(letter)` of the type
// of what a loop is given, -1 where the extent shows at run time.
template <class Work, auto Core>
struct known_core_arguments : core_arguments<Work> {
  static constexpr auto core = Core;
};
template <class C>
RICCI_HD constexpr index_t extent_of_core(int letter) {
  if constexpr (requires { C::core; })
    return C::core.extent[letter];
  else
    return -1;
}

namespace calls {

// The type of array K of a call of type T, to which its operands promote: T, unless the operation says otherwise
// by `types<T>`, a list of those of operands and results.
template <class Op, class T, int K>
struct array_type {
  using type = T;
};
template <class Op, class T, int K>
requires requires { typename Op::template types<T>; }
struct array_type<Op, T, K> {
  using type = types::nth<K + 1, typename Op::template types<T>>;
};
template <class Op, class T, int K>
using array_t = typename array_type<Op, T, K>::type;

template <class Op>
constexpr dtype type_of_array(dtype call, int k) {
  dtype found = dtype::none;
  if (call == dtype::none) return call;
  with_type(call, [&](auto x) {
    [&]<int... K>(std::integer_sequence<int, K...>) {
      ((k == K ? void(found = dtype_of<array_t<Op, decltype(x), K>>) : void()), ...);
    }
    (std::make_integer_sequence<int, Op::core.arrays()>{});
  });
  return found;
}
// whether operand k is of the type of the call
template <class Op>
constexpr bool follows_call_type(int k) {
  return type_of_array<Op>(dtype::float32, k) != type_of_array<Op>(dtype::float64, k);
}

template <class Op, class T>
struct work_type {
  using type = T;
};
template <class Op, class T>
requires requires { typename Op::template workspace_type<T>; }
struct work_type<Op, T> {
  using type = typename Op::template workspace_type<T>;
};
template <class Op, class T>
using work_t = typename work_type<Op, T>::type;

// elements of it that the loop for a core needs
template <class Op>
inline constexpr bool has_workspace = requires(index_t const* extents) {
  Op::workspace(extents);
};
template <class Op>
constexpr index_t workspace(index_t const* extents) {
  if constexpr (has_workspace<Op>)
    return Op::workspace(extents);
  else
    return 0;
}
template <class Op>
[[noreturn]] RICCI_COLD void raise_refused_value(std::int64_t value) {
  core::text t;
  t << Op::name << ": ";
  if constexpr (requires { Op::say_why(t, value); })
    Op::say_why(t, value);
  else
    Op::say_why(t);
  core::raise<value_error>(t);
}
template <class Op>
RICCI_INLINE void check_values(std::int64_t const* x, index_t n) {
  for (index_t k = 0; k < n; ++k)
    if (Op::refuses_value(x[k])) raise_refused_value<Op>(x[k]);
}
template <class Op>
constexpr int attributes() {
  if constexpr (requires { Op::attributes; })
    return Op::attributes;
  else
    return 0;
}

// The extents of a call's letters, from the shapes of its operands, and the shape of the axes before the cores; what
// does not go together, the context is told.
struct extents_t {
  index_t of[most_core_letters];
  shape_t batch;
};
constexpr bool results_follow_from_operands(core_signature const& core) {
  bool known[most_core_letters]{}, all = true;
  for (int k = 0; k < core.arrays(); ++k)
    for (int axis = 0; axis < core.rank[k]; ++axis) {
      bool& letter = known[core.letter[k][axis]];
      if (k < core.operands) letter = true;
      all = all && letter;
    }
  return all;
}
template <class Op, class Context>
constexpr extents_t extents_of(Context& c, shape_t const* x) {
  constexpr core_signature core = Op::core;
  extents_t e{};
  bool known[most_core_letters]{};
  for (int k = 0; k < core.operands; ++k) {
    shape_t before = x[k];
    before.rank -= core.rank[k];
    if (before.rank < 0) return c.fail(), e;
    for (int axis = 0; axis < core.rank[k]; ++axis) {
      int const letter = core.letter[k][axis];
      index_t const n = x[k].extent[before.rank + axis];
      e.of[letter] = known[letter] ? c.same(e.of[letter], n) : n;
      known[letter] = true;
    }
    e.batch = k == 0 ? before : shapes::broadcast(c, e.batch, before);
  }
  if constexpr (requires { Op::extents(c, e.of); })
    Op::extents(c, e.of);
  else
    static_assert(results_follow_from_operands(core),
                  "a letter of a call's core signature that stands in results alone has its extent from "
                  "`template <class Context> static constexpr void extents(Context& c, index_t* n)`");
  if (e.batch.rank + core.loops() > max_rank) c.fail();
  return e;
}
// the shape of array k
constexpr shape_t shape_of_array(core_signature const& core, extents_t const& e, int k) {
  shape_t s = e.batch;
  for (int axis = 0; axis < core.rank[k]; ++axis) s.push(e.of[core.letter[k][axis]]);
  return s;
}

}  // namespace calls

namespace ir {

// A result of a call that is not its first one. Attribute: which.
struct part_t : operation_of_kind<op_kind::part, 0> {
  static constexpr auto name = "result";
};

// Records a call of type `type` on operands that are as it wants them. Its results follow one another.
template <class Op, class Mode>
constexpr value<Mode> call(typename Mode::graph& g, dtype type, shape_t const* results, span<int> operands,
                           span<index_t> attributes) {
  constexpr core_signature core = Op::core;
  auto const type_of_result = [&](int k) { return calls::type_of_array<Op>(type, core.operands + k); };
  auto const y = record<Op, Mode>(g, type_of_result(0), requested(g, results[0]), operands, attributes);
  for (int k = 1; k < core.results; ++k) {
    index_t const number = k;
    record<part_t, Mode>(g, type_of_result(k), requested(g, results[k]), {&y.id, 1}, {&number, 1});
  }
  if constexpr (Mode::runs && core.results > 1) g.ins[y.id].run(g, y.id);
  return y;
}

}  // namespace ir

// What calls have in common.
struct call_operation_base : ir::operation_of_kind<ir::op_kind::call, 255> {
  static constexpr bool takes_complex = false;
  static constexpr int dense_axes = 0;
  static constexpr dtype operand_type(dtype t) { return t; }
};

namespace calls {

// Result K of a call as an operation of its own, as far as its type is concerned.
template <class Op, int K>
struct result {
  static constexpr auto name = Op::name;
  static constexpr ir::op_kind kind = ir::op_kind::part;
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return type_of_array<Op>(Op::type_of_call(t...), Op::core.operands + K);
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, S const&... x) {
    shape_t const shapes[] = {x...};
    return shape_of_array(Op::core, extents_of<Op>(c, shapes), Op::core.operands + K);
  }
};

template <class Op, class... X, int... K>
constexpr auto symbols(std::integer_sequence<int, K...>, X const&... x) {
  auto const y =
      Op::record(no_attributes{}, lifted<typename mode_of<X...>::type>(graph_of(x...), x, strong_type_of<Op, X...>)...);
  return std::tuple{symbol_of_call<result<Op, K>, no_attributes, X...>(
      ir::cast(decltype(y){y.g, y.id + K}, type_of_call<result<Op, K>, X...>))...};
}

}  // namespace calls

// A call over the last axes of its operands; the axes before them are broadcast. One result is lazy, as that of any
// operation; several are a std::tuple of tensors, computed at once, and of symbols in a trace.
template <class Derived>
struct core_call : call_operation_base {
  static constexpr bool along_axis = false;

  template <class... X>
  requires operands<X...> RICCI_INLINE constexpr auto operator()(X&&... x) const {
    (void)sizeof(wrong::number_of_operands<Derived, Derived::core.operands, int(sizeof...(X))>);
    static_assert(ir::first_of_its_type<Derived>() >= 0,
                  "one operand or result of a call at least is of type T: see its types<T>");
    if constexpr (sizeof...(X) != Derived::core.operands)
      return wrong::result{};
    else if constexpr (Derived::core.results == 1)
      return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x)...);
    else if constexpr (level_of_call<X...> == operand_level::symbol)
      return calls::symbols<Derived>(std::make_integer_sequence<int, Derived::core.results>{}, x...);
    else
      return call_function(Derived{}, x...);  // autodiff/functions.hpp
  }
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return calls::type_of_array<Derived>(type_of_call(t...), sizeof...(T));
  }
  // the type of the call on operands of such types
  template <class... T>
  static constexpr dtype type_of_call(T... t) {
    int k = 0;
    dtype const types[] = {(calls::follows_call_type<Derived>(k++) ? t : dtype::none)...};
    return Derived::operand_type(promote_list(types, int(sizeof...(T))));
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, S const&... x) {
    shape_t const shapes[] = {x...};
    return calls::shape_of_array(Derived::core, calls::extents_of<Derived>(c, shapes), sizeof...(S));
  }
  template <class V, class... Rest>
  static constexpr V record(no_attributes, V x, Rest... rest) {
    V operands[] = {x, rest...};
    dtype const type = type_of_call(x.type(), rest.type()...);
    V const y = over(arithmetic_type(type), operands);
    return Derived::core.results == 1 ? ir::cast(y, calls::type_of_array<Derived>(type, 1 + sizeof...(Rest))) : y;
  }
  // Records it with operands that are cast and broadcast as it needs them.
  template <class V>
  static constexpr V over(dtype type, V* x) {
    constexpr core_signature core = Derived::core;
    auto& g = *x[0].g;
    shape_t shapes[most_call_arrays]{};
    for (int k = 0; k < core.operands; ++k) shapes[k] = x[k].shape();
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<Derived>(), x[0].shape_id(),
                                                core.operands > 1 ? x[1].shape_id() : -1};
    calls::extents_t const e = calls::extents_of<Derived>(c, shapes);
    int operands[most_call_arrays]{};
    for (int k = 0; k < core.arrays(); ++k) {
      shapes[k] = calls::shape_of_array(core, e, k);
      if (k < core.operands)
        operands[k] =
            ir::broadcast_to(ir::cast(x[k], calls::type_of_array<Derived>(type, k)), ir::intern(g, shapes[k])).id;
    }
    return ir::call<Derived, typename V::mode>(g, type, shapes + core.operands, {operands, core.operands}, {});
  }
};

// A call along one axis, which may be any: of every operand and result whose core is "(n)". Attribute 0: the axis.
struct axis_call : call_operation_base {
  static constexpr bool along_axis = true;
};

// The call operator with an axis that is only known at run time, of a tensor of dynamic extents: computed at once.
template <class Derived>
struct takes_axis_number {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x, wrong::Integer auto at) const {
    index_t const a = to_index(at);
    return call_along_axis(Derived{}, over_axes<true, -1>{}, reduction_axes{1, {a}, true}, a, static_cast<X&&>(x));
  }
};

// The call operators of what runs along one axis, the last one where none is named; an axis that is not there is a
// compile error. Derived says by `along(axis, x)` what is recorded.
template <class Derived>
struct takes_one_axis : refuses_axis_lists, takes_axis_number<Derived> {
  using refuses_axis_lists::operator();
  using takes_axis_number<Derived>::operator();
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return (*this)(static_cast<X&&>(x), axis<-1>);
  }
  template <class X, index_t A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A>) const {
    return call_operation<Derived>(over_axes<true, A>{}, static_cast<X&&>(x));
  }
  template <class X, class Name>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x, axis_names<Name> name) const { return along_axis_by_name(Derived{}, x, name); }
  RICCI_WRONG_CALL_OF_OBJECT(
      "what runs along one axis takes a tensor, and that axis, the last one where none is named: "
      "rc::cumulative_sum(x), rc::cumulative_sum(x, rc::axis<0>)")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    if (a.mask(x.rank) <= 0) c.fail();
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    return Derived::along(a.first(x.rank()), x);
  }
};

}  // namespace ricci
