// What a call of an operation does: on symbols and values it records an instruction, on tensors it builds a lazy
// expression (expr/node.hpp), on plain numbers it computes.
#pragma once

#include <ricci/ops/call_types.hpp>

RICCI_OPTIMIZED
namespace ricci {

template <class Mode, class A>
constexpr ir::value<Mode> lifted(typename Mode::graph& g, A const& a, dtype strong);

template <class V, class E, class Mode>
constexpr ir::value<Mode> number_in(typename Mode::graph& g, symbol<V, E, Mode> const& x) {
  auto const number = lifted<Mode>(g, x.number, dtype_of<V>);
  return E::rank == 0 ? number : ir::broadcast_to(number, ir::intern(g, E::value));
}
// A symbol as a value of a graph: a number by default becomes a literal.
template <class V, class E, class Mode>
constexpr ir::value<Mode> value_in([[maybe_unused]] typename Mode::graph& g, symbol<V, E, Mode> const& x) {
  if constexpr (E::is_static)
    return x.v.g == nullptr ? number_in(g, x) : x.v;
  else
    return x.v;
}

// An operand of a recorded call as a value of its graph.
template <class Mode, class A>
constexpr ir::value<Mode> lifted([[maybe_unused]] typename Mode::graph& g, A const& a, [[maybe_unused]] dtype strong) {
  if constexpr (ir::is_value<A>) {
    if (!a) limits::a_tangent_or_cotangent_is_used_that_is_absent_which_if_tells();
    return a;
  } else if constexpr (is_symbol<A> && !is_weak<A>) {
    return value_in(g, a);
  } else if constexpr (is_symbol<A>) {
    return ir::cast(value_in(g, a), entering_type<A>(strong));
  } else if constexpr (is_arithmetic<A>) {
    dtype const t = entering_type<A>(strong);
    if constexpr (is_complex_number<A>)
      return ir::cast(ir::complex_literal<Mode>(g, a, complex_type(component_type(t))), t);
    else if constexpr (std::is_integral_v<A>)
      return ir::integer_literal<Mode>(g, static_cast<index_t>(a), t, 0);
    else
      return ir::literal<Mode>(g, static_cast<double>(a), t, 0);
  } else if constexpr (is_symbolic_dim<A> || is_known_extent<A>) {
    return ir::number<Mode>(g, a.dim, entering_type<A>(strong));
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
  if constexpr (is_symbol<A>) {
    if constexpr (A::extents::is_static && (has_graph<Rest> || ...))
      return a.v.g ? *a.v.g : graph_of(rest...);
    else
      return graph_of_symbol(a);
  } else if constexpr (ir::is_value<A>) {
    if (!a) limits::a_tangent_or_cotangent_is_used_that_is_absent_which_if_tells();
    return *a.g;
  } else if constexpr (is_symbolic_dim<A>) {
    return *a.g;
  } else {
    return graph_of(rest...);
  }
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
template <class Op, class... A>
inline constexpr dtype strong_type_of = strong_type_of_call<Op, A...>();
template <class Op, class Attributes, class... A>
using symbol_of_call = symbol<
    type_of<type_of_call<Op, A...>>,
    std::conditional_t<((is_arithmetic<A> || is_weak<A>)&&...) && extents_of_call<Op, Attributes, A...>::rank == 0,
                       weak_extents, extents_of_call<Op, Attributes, A...>>,
    typename mode_of<A...>::type>;

template <class Op, class Attributes, class... A>
constexpr auto record_symbols(Attributes const& attributes, A const&... a) {
  (void)(sizeof(tensor_in_trace<typename mode_of<A...>::type, A>) + ...);
  auto& g = graph_of(a...);
  using Mode = typename mode_of<A...>::type;
  using R = symbol_of_call<Op, Attributes, A...>;
  if constexpr (shapes::misfit<Op, Attributes, typename operand_extents<A>::type...>()) {
    return R{ir::number<Mode>(g, 0, dtype_of<typename R::value_type>)};
  } else if constexpr (has_operands_apart<Op>) {
    int k = 0;
    auto const strong = [&k] { return strong_type_for<Op>(k++, strong_type_of<Op, A...>); };
    ir::value<Mode> const values[] = {lifted<Mode>(g, a, strong())...};
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return R{ir::recorded<Op>(attributes.lowered(), values[K]...)};
    }
    (std::index_sequence_for<A...>{});
  } else {
    return R{ir::recorded<Op>(attributes.lowered(), lifted<Mode>(g, a, strong_type_of<Op, A...>)...)};
  }
}

// What a symbol becomes when x is assigned to it: x in the symbol's element type, broadcast where that is a number or
// the extents are known, as tensors are assigned to.
template <class V, class E, class Mode, class X>
constexpr ir::value<Mode> rebound(symbol<V, E, Mode> const& old, X const& x) {
  static_assert(level_of<X> != operand_level::no_operand && level_of<X> != operand_level::value,
                "a symbol is assigned a tensor or a number");
  static_assert(!loses_imaginary_part<V, X>,
                "a symbol of real numbers holds real ones: x = z would lose the imaginary part; x = rc::real(z) says "
                "that this is meant");
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
    if constexpr (F::rank > 0) return old.v;
    return ir::broadcast_to(y, E::is_static ? ir::intern(g, E::value) : old.v.shape_id());
  }
}

template <class... A>
using value_of_call = ir::value<typename mode_of<std::remove_cvref_t<A>...>::type>;

// The type that values have together; numbers have none of their own.
template <class A>
constexpr dtype type_beside(dtype others, A const& a) {
  if constexpr (ir::is_value<A>)
    return promote(others, a.type());
  else
    return others;
}
template <class Op, class Attributes, class... A>
constexpr value_of_call<A...> record_values(Attributes const& attributes, A const&... a) {
  using Mode = typename mode_of<A...>::type;
  auto& g = graph_of(a...);
  dtype strong = dtype::none;
  ((strong = type_beside(strong, a)), ...);
  return ir::recorded<Op>(attributes.lowered(), lifted<Mode>(g, a, strong)...);
}

template <class Op>
struct defined_for_complex_numbers {
  static_assert(ir::takes_complex<Op>,
                "this operation is not defined for complex numbers (operation: see the type above)");
};
// Where the other operands are written among the elements of the first one.
template <class Op, class First, class... Rest>
struct real_elements_hold_real_numbers {
  static_assert(!(loses_imaginary_part<type_of<own_type<First>()>, Rest> || ...),
                "complex numbers do not go into a tensor of real ones: rc::real(z) says that the imaginary part is "
                "meant to be lost (operation: see the type above)");
};
template <class Op>
struct of_numbers_alone {
  static_assert(shapes::same_for_all_elements<Op>,
                "this operation needs a tensor, and is given C++ numbers (operation: see the type above)");
};
template <class Op, class Attributes, class... A>
RICCI_INLINE constexpr auto call_operation(Attributes const& attributes, A&&... a) {
  constexpr int level = level_of_call<A...>;
  if constexpr ((is_complex(own_type<A>()) || ...)) {
    (void)sizeof(defined_for_complex_numbers<Op>);
    if constexpr (requires { Op::converts_to_first; } && level != operand_level::any)
      (void)sizeof(real_elements_hold_real_numbers<Op, A...>);
  }
  if constexpr (level == operand_level::symbol) {
    return record_symbols<Op>(attributes, a...);
  } else if constexpr (level == operand_level::tensor) {
    return make_node(Op{}, attributes, static_cast<A&&>(a)...);
  } else if constexpr (level == operand_level::any) {
    return call_at_run_time(Op{}, attributes, a...);
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
