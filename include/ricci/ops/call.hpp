// What a call of an operation does: on symbols and values it records an instruction, on tensors it builds a lazy
// expression (expr/node.hpp), on plain numbers it computes.
#pragma once

#include <ricci/core/config.hpp>
#include <ricci/graph/leaves.hpp>
#include <ricci/graph/symbol.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace ir {

template <class Mode>
constexpr value<Mode> cast(value<Mode> x, dtype t);
template <class Mode>
constexpr value<Mode> broadcast_to(value<Mode> x, int shape);
template <class Mode>
constexpr value<Mode> sum_to(value<Mode> x, int shape);

// An instruction as its rules see it.
template <class V>
struct application {
  V y;  // its result

  constexpr V operand(int k) const { return y.operand(k); }
  constexpr int count() const { return y.ins().count; }
  constexpr index_t attr(int k) const { return y.g->attr(y.id, k); }
};

}  // namespace ir

// What an operand can be, from low to high; the highest level among its operands decides what a call does. The levels
// are plain integers, since the operators below are candidates wherever two enumerators are compared, and their
// constraints must not depend on themselves.
namespace operand_level {
inline constexpr int no_operand = 0, number = 1, tensor = 2, symbol = 3, value = 4;
}

template <class T>
constexpr int level_of_type() {
  if constexpr (std::is_arithmetic_v<T> || is_known_extent<T>)
    return operand_level::number;
  else if constexpr (ir::is_value<T>)
    return operand_level::value;
  else if constexpr (is_symbol<T> || is_symbolic_dim<T>)
    return operand_level::symbol;
  else if constexpr (enable_tensor<T>)
    return operand_level::tensor;
  else
    return operand_level::no_operand;
}
template <class A>
inline constexpr int level_of = level_of_type<std::remove_cvref_t<A>>();

constexpr int highest(int a) { return a; }
template <class... Rest>
constexpr int highest(int a, int b, Rest... rest) {
  return highest(a > b ? a : b, rest...);
}
template <class... A>
inline constexpr int level_of_call = highest(level_of<A>...);

// What operations take: C++ numbers, tensors (containers, views, expressions, foreign ones), symbols of a traced
// function, values of a graph.
template <class... A>
concept operands = ((level_of<A> != 0) && ...);
// at least one that is ours: what the operators + - * / < ... are for. Those of foreign tensors among themselves and
// with numbers stand in the global namespace (expr/foreign.hpp). Values of graphs have operators of their own, whose
// result types are spelt out: an operation's rules may use it.
template <class A>
inline constexpr bool is_ours = is_native_tensor<std::remove_cvref_t<A>> || is_symbolic_dim<std::remove_cvref_t<A>>;
template <class... A>
concept tensor_operands = operands<A...> && level_of_call<A...> < operand_level::value && (is_ours<A> || ...);
template <class... A>
concept value_operands = operands<A...> && level_of_call<A...>
== operand_level::value;
template <class... A>
concept foreign_operands = operands<A...> && level_of_call<A...>
== operand_level::tensor && !(is_ours<A> || ...);

// Attributes of an operation have three forms: as the type alone knows them (`typed`, for the extents of results),
// as they are when a function is traced (`lowered`), and as a statement has them, whose run-time numbers become slots
// (`reified`). Where all are constants, the three are the same.
template <class Derived>
struct constant_attributes {
  static constexpr int slots = 0;
  static constexpr auto lowered() { return Derived::typed(); }
  template <class Reifier>
  static constexpr auto reified(Reifier&) {
    return Derived::typed();
  }
};
struct no_attributes : constant_attributes<no_attributes> {
  static constexpr no_attributes typed() { return {}; }
};

namespace shapes {

// The extents of a result, by the operation's own rule on the extents of its operands' types.
template <class Op, class Attributes, class... E>
struct result {
  struct outcome {
    shape_t shape;
    bool failed;
  };
  static constexpr outcome compute() {
    type_context c;
    shape_t const s = Op::shape_of(c, Attributes::typed(), E::value...);
    return outcome{c.failed ? shape_t{} : s, c.failed};
  }
  static constexpr outcome computed = compute();
  static constexpr shape_t value = computed.shape;
  static constexpr bool shapes_fit = !computed.failed;
};
// named in the message: the operation, its attributes if it has any (axes, a target shape), the extents of its operands
template <class Op, class... AttributesAndExtents>
struct operands_do_not_fit {
  static_assert(always_false<Op>,
                "the shapes of the operands do not go together (operation and extents: see the type above)");
};
template <class Op, class Attributes, class... E>
struct does_not_fit {
  using type = operands_do_not_fit<Op, Attributes, E...>;
};
template <class Op, class... E>
struct does_not_fit<Op, no_attributes, E...> {
  using type = operands_do_not_fit<Op, E...>;
};

template <class Op, class Attributes, class... E>
constexpr auto extents_of_result() {
  using R = result<Op, Attributes, E...>;
  if constexpr (!R::shapes_fit)
    return (void)sizeof(typename does_not_fit<Op, Attributes, E...>::type), extents<>{};
  else
    return extents_of_shape<R>{};
}
// elementwise operations of equal extents need no rule
template <class Op>
concept same_for_all_elements = Op::kind == ir::op_kind::elementwise;
template <class Op, class Attributes, class E, class... Rest>
struct result_type {
  using type = decltype(extents_of_result<Op, Attributes, E, Rest...>());
};
template <same_for_all_elements Op, index_t... E>
struct result_type<Op, no_attributes, extents<E...>, extents<E...>> {
  using type = extents<E...>;
};
template <same_for_all_elements Op, index_t... E>
requires(sizeof...(E) > 0) struct result_type<Op, no_attributes, extents<E...>, extents<>> {
  using type = extents<E...>;
};
template <same_for_all_elements Op, index_t... E>
requires(sizeof...(E) > 0) struct result_type<Op, no_attributes, extents<>, extents<E...>> {
  using type = extents<E...>;
};

}  // namespace shapes

// the extents with which an operand enters a shape rule; numbers and weak scalars have none
template <class A>
struct operand_extents {
  using type = typename A::extents;
};
template <class A>
requires std::is_arithmetic_v<A>
struct operand_extents<A> {
  using type = extents<>;
};
template <class T, class Mode>
struct operand_extents<symbol<T, weak_extents, Mode>> {
  using type = extents<>;
};
template <class Mode>
struct operand_extents<symbolic_dim<Mode>> {
  using type = extents<>;
};
template <class Mode>
struct operand_extents<known_extent<Mode>> {
  using type = extents<>;
};
template <class Op, class Attributes, class... A>
using extents_of_call =
    typename shapes::result_type<Op, Attributes, typename operand_extents<std::remove_cvref_t<A>>::type...>::type;

// Element types of a call: the tensors promote, then what is weak adapts.
template <class A>
constexpr dtype strong_type() {
  using T = std::remove_cvref_t<A>;
  if constexpr (std::is_arithmetic_v<T> || is_weak<T>)
    return dtype::none;
  else
    return dtype_of<typename T::value_type>;
}
template <class A>
constexpr dtype own_type() {
  using T = std::remove_cvref_t<A>;
  if constexpr (std::is_arithmetic_v<T>)
    return dtype_of<element_t<T>>;
  else
    return dtype_of<typename T::value_type>;
}
// the type with which operand A enters beside tensors that promote to `strong`
template <class A>
constexpr dtype entering_type(dtype strong) {
  if (strong_type<A>() != dtype::none || strong == dtype::none) return own_type<A>();
  return promote_weak(strong, own_type<A>());
}
template <class Op>
constexpr int first_numeric_of() {
  if constexpr (requires { Op::first_numeric; })
    return Op::first_numeric;
  else
    return 0;
}
template <class Op, class... A>
constexpr dtype strong_type_of_call() {
  dtype r = dtype::none;
  int k = 0;
  ((k++ >= first_numeric_of<Op>() ? void(r = promote(r, strong_type<A>())) : void()), ...);
  return r;
}
// the type to which all operands promote
template <class Op, class... A>
constexpr dtype promote_operands() {
  dtype r = dtype::none;
  ((r = promote(r, entering_type<A>(strong_type_of_call<Op, A...>()))), ...);
  return r;
}
template <class Op, class... A>
inline constexpr dtype promoted_type_of_call = promote_operands<Op, A...>();
template <class Op, class... A>
inline constexpr dtype type_of_call = Op::type_of_result(entering_type<A>(strong_type_of_call<Op, A...>())...);

template <class Mode, class A>
constexpr ir::value<Mode> lifted(typename Mode::graph& g, A const& a, dtype strong);

// A symbol as a value of a graph: a number by default becomes a literal.
template <class V, class E, class Mode>
constexpr ir::value<Mode> value_in([[maybe_unused]] typename Mode::graph& g, symbol<V, E, Mode> const& x) {
  if constexpr (E::is_static)
    if (x.v.g == nullptr) {
      auto const number = lifted<Mode>(g, x.number, dtype_of<V>);
      return E::rank == 0 ? number : ir::broadcast_to(number, ir::intern(g, E::value));
    }
  return x.v;
}

// An operand of a recorded call as a value of its graph.
template <class Mode, class A>
constexpr ir::value<Mode> lifted(typename Mode::graph& g, A const& a, dtype strong) {
  if constexpr (std::is_arithmetic_v<A>) {
    dtype const t = entering_type<A>(strong);
    if constexpr (std::is_integral_v<A>)
      return ir::integer_literal<Mode>(g, static_cast<index_t>(a), t, 0);
    else
      return ir::literal<Mode>(g, static_cast<double>(a), t, 0);
  } else if constexpr (ir::is_value<A>) {
    return a;
  } else if constexpr (is_symbolic_dim<A> || is_known_extent<A>) {
    return ir::number<Mode>(g, a.dim, entering_type<A>(strong));
  } else if constexpr (is_symbol<A>) {
    auto const v = value_in(g, a);
    return is_weak<A> ? ir::cast(v, entering_type<A>(strong)) : v;
  } else {
    return constant_of(ir::value<Mode>{&g, 0}, a);  // a captured tensor
  }
}

// not constexpr: reached where nothing but numbers by default stand in an operation of a traced function
inline void a_number_by_default_has_no_traced_function_yet() {}
template <class S>
constexpr auto& graph_of_symbol(S const& x) {
  if (S::extents::is_static && x.v.g == nullptr) {
    if constexpr (S::mode::runs)
      core::raise<value_error>(core::text() << "a record's number by default belongs to no function yet");
    a_number_by_default_has_no_traced_function_yet();
  }
  return *x.v.g;
}
template <class A>
inline constexpr bool has_graph = ir::is_value<A> || is_symbolic_dim<A> || is_symbol<A>;

template <class A, class... Rest>
constexpr auto& graph_of(A const& a, Rest const&... rest) {
  if constexpr (ir::is_value<A>)
    return *a.g;
  else if constexpr (is_symbolic_dim<A>)
    return *a.g;
  else if constexpr (!is_symbol<A>)
    return graph_of(rest...);
  else if constexpr (A::extents::is_static && (has_graph<Rest> || ...))
    return a.v.g ? *a.v.g : graph_of(rest...);
  else
    return graph_of_symbol(a);
}
template <class... A>
struct mode_of {};
template <class A, class... Rest>
struct mode_of<A, Rest...> : mode_of<Rest...> {};
template <class Mode, class... Rest>
struct mode_of<ir::value<Mode>, Rest...> {
  using type = Mode;
};
template <class T, class E, class Mode, class... Rest>
struct mode_of<symbol<T, E, Mode>, Rest...> {
  using type = Mode;
};
template <class Mode, class... Rest>
struct mode_of<symbolic_dim<Mode>, Rest...> {
  using type = Mode;
};
template <class Mode, class... Rest>
struct mode_of<known_extent<Mode>, Rest...> {
  using type = Mode;
};

// A tensor among symbols is a constant of their graph. Asked for by its size, so that an error is the first one.
template <class Mode, class A>
struct tensor_in_trace {
  static_assert(Mode::runs || level_of<A> != operand_level::tensor || operand_extents<A>::type::is_static,
                "a traced function makes tensors of static extents, as rc::arange<T>(rc::extents<3>{}), of its "
                "arguments' extents, or beside a symbol: rc::arange<T>(3, rc::like(x))");
};
template <class Op, class Attributes, class... A>
constexpr auto record_symbols(Attributes const& attributes, A const&... a) {
  using Mode = typename mode_of<A...>::type;
  using E = extents_of_call<Op, Attributes, A...>;
  constexpr dtype strong = strong_type_of_call<Op, A...>(), type = type_of_call<Op, A...>;
  constexpr bool weak = ((std::is_arithmetic_v<A> || is_weak<A>)&&...);
  (void)(sizeof(tensor_in_trace<Mode, A>) + ...);
  auto& g = graph_of(a...);
  using R = symbol<type_of<type>, std::conditional_t<weak && E::rank == 0, weak_extents, E>, Mode>;
  return R{Op::record(attributes.lowered(), lifted<Mode>(g, a, strong)...)};
}

// What a symbol becomes when x is assigned to it: x in the symbol's element type, broadcast where that is a number or
// the extents are known, as tensors are assigned to.
template <class V, class E, class Mode, class X>
constexpr ir::value<Mode> rebound(symbol<V, E, Mode> const& old, X const& x) {
  static_assert(level_of<X> != operand_level::no_operand && level_of<X> != operand_level::value,
                "a symbol is assigned a tensor or a number");
  using F = typename operand_extents<X>::type;
  auto& g = [&]() -> auto& {
    if constexpr (is_symbol<X>)
      return graph_of(x, old);
    else
      return *old.v.g;
  }
  ();
  auto const y = ir::cast(lifted<Mode>(g, x, dtype_of<V>), dtype_of<V>);
  if constexpr (shapes::may_be_equal<E, F>()) {
    return ir::with_extents(y, E::value, old.v);
  } else {
    static_assert(F::rank == 0,
                  "a symbol keeps its type when it is assigned to: order and extents of the new value do not fit it "
                  "(both: see the types above)");
    return ir::broadcast_to(y, E::is_static ? ir::intern(g, E::value) : old.v.shape_id());
  }
}

template <class... A>
using value_of_call = ir::value<typename mode_of<std::remove_cvref_t<A>...>::type>;

template <class Op, class Attributes, class... A>
constexpr value_of_call<A...> record_values(Attributes const& attributes, A const&... a) {
  using Mode = typename mode_of<A...>::type;
  auto& g = graph_of(a...);
  dtype strong = dtype::none;
  auto const note = [&](auto const& x) {
    if constexpr (ir::is_value<std::remove_cvref_t<decltype(x)>>) strong = promote(strong, x.type());
  };
  (note(a), ...);
  return Op::record(attributes.lowered(), lifted<Mode>(g, a, strong)...);
}

template <class Op>
struct of_numbers_alone {
  static_assert(shapes::same_for_all_elements<Op>,
                "this operation needs a tensor, and is given C++ numbers (operation: see the type above)");
};
template <class Op, class Attributes, class... A>
RICCI_INLINE constexpr auto call_operation(Attributes const& attributes, A&&... a) {
  constexpr int level = level_of_call<A...>;
  if constexpr (level == operand_level::symbol) {
    return record_symbols<Op>(attributes, a...);
  } else if constexpr (level == operand_level::tensor) {
    return make_node(Op{}, attributes, static_cast<A&&>(a)...);
  } else if constexpr (sizeof(of_numbers_alone<Op>) > 0 && shapes::same_for_all_elements<Op>) {
    constexpr dtype t = Op::operand_type(promoted_type_of_call<Op, A...>);
    return [&]<std::size_t... K>(std::index_sequence<K...>) {  // what stands before the numbers is a condition
      return Op::kernel(static_cast<std::conditional_t<(int(K) < first_numeric_of<Op>()), bool, type_of<t>>>(a)...);
    }
    (std::index_sequence_for<A...>{});
  }
}

}  // namespace ricci
RICCI_OPTIMIZED_END
