// What a call of an operation is by the types of its operands: its level, its attributes, the extents and the element
// type of its result.
#pragma once

#include <ricci/core/config.hpp>
#include <ricci/graph/formula.hpp>
#include <ricci/graph/leaves.hpp>
#include <ricci/graph/symbol.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace ir {

template <class Mode>
constexpr value<Mode> cast(value<Mode> x, dtype t);
template <class Mode, class C>
constexpr value<Mode> complex_literal(typename Mode::graph& g, std::complex<C> x, dtype type);
template <class Mode>
constexpr value<Mode> broadcast_to(value<Mode> x, int shape);
template <class Mode>
constexpr value<Mode> sum_to(value<Mode> x, int shape);

// Whether an operation on elements computes no new ones, so that it need not be recorded in their arithmetic_type.
template <class Op>
inline constexpr bool only_moves = requires {
  requires Op::only_moves;
};
// Whether an operation is defined for complex numbers. What computes says so itself; what moves elements has no say.
template <class Op>
inline constexpr bool takes_complex = true;
template <class Op>
requires requires { Op::takes_complex; }
inline constexpr bool takes_complex<Op> = Op::takes_complex;
// whether there are instructions of an operation on elements of a type
template <class Op>
constexpr bool takes(dtype t) {
  return Op::operand_type(t) == t && (only_moves<Op> || arithmetic_type(t) == t) &&
         (!is_complex(t) || takes_complex<Op>);
}

// An instruction as its rules see it.
template <class V>
struct application {
  V y;  // its result, the first one

  constexpr V operand(int k) const { return y.operand(k); }
  constexpr V result(int k) const { return {y.g, y.id + k}; }  // of a call with several
  constexpr int count() const { return y.ins().count; }
  constexpr index_t attr(int k) const { return y.g->attr(y.id, k); }
};

}  // namespace ir

// What an operand can be, from low to high; the highest level among its operands decides what a call does. The levels
// are plain integers, since the operators below are candidates wherever two enumerators are compared, and their
// constraints must not depend on themselves.
namespace operand_level {
inline constexpr int no_operand = 0, number = 1, tensor = 2, symbol = 3, value = 4, any = 5;
}

// Tensors whose element type and order are known at run time alone (any/tensor.hpp).
template <class T>
inline constexpr bool is_any_tensor = false;
// One of these, and extents or axes as a list that is made at run time: a std::vector, a std::array, a std::span.
template <class N>
concept ListOfExtents = requires(N const& n) {
  index_t(n.data()[0]);
  index_t(n.size());
};
template <class X, class N>
concept any_with_list = is_any_tensor<std::remove_cvref_t<X>> && ListOfExtents<N>;
// A std::tuple, a std::pair or a std::array: the type says how many there are.
template <class T>
concept TupleLike = requires {
  std::tuple_size<std::remove_cvref_t<T>>::value;
};
// A list of those (a std::array of them is taken as a tuple).
template <class List>
concept list_of_any = requires(List const& l) {
  l.size();
  requires is_any_tensor<std::remove_cvref_t<decltype(l.data()[0])>>;
  requires !TupleLike<List>;
};
// A list of tensors whose type says their order and element type.
template <class List>
concept list_of_tensors = requires(List const& l) {
  l.size();
  requires enable_tensor<std::remove_cvref_t<decltype(l.data()[0])>>;
  requires !TupleLike<List>;
};
// Attributes of a call with tensors of run-time order, passed on as they are.
template <class A>
struct told_at_run_time {
  A attributes;
  constexpr A const& lowered() const { return attributes; }
};
template <ListOfExtents N>
constexpr shape_t listed(N const& numbers) {
  shape_t s{};
  for (index_t k = 0, n = index_t(numbers.size()); k < n; ++k) s.push(index_t(numbers.data()[k]));
  return s;
}

template <class T>
constexpr int level_of_type() {
  if constexpr (!std::is_class_v<T>)  // enumerations, literals and pointers are asked often: of each `==` and `<<`
    return is_arithmetic<T> ? operand_level::number : operand_level::no_operand;
  else if constexpr (is_arithmetic<T> || is_known_extent<T>)
    return operand_level::number;
  else if constexpr (ir::is_value<T>)
    return operand_level::value;
  else if constexpr (is_symbol<T> || is_symbolic_dim<T>)
    return operand_level::symbol;
  else if constexpr (enable_tensor<T>)
    return operand_level::tensor;
  else if constexpr (is_any_tensor<T>)
    return operand_level::any;
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
// Those whose order and element type stand in their types.
template <class... A>
concept typed_operands = operands<A...> && level_of_call<A...>
!= operand_level::any;
// at least one that is ours: what the operators + - * / < ... are for. Those of foreign tensors among themselves and
// with numbers stand in the global namespace (expr/foreign.hpp). Values of graphs have operators of their own, whose
// result types are spelt out: an operation's rules may use it.
template <class A>
inline constexpr bool is_ours = is_native_tensor<std::remove_cvref_t<A>> || is_symbolic_dim<std::remove_cvref_t<A>> ||
                                is_any_tensor<std::remove_cvref_t<A>>;
template <class... A>
concept tensor_operands = operands<A...> && level_of_call<A...>
!= operand_level::value && (is_ours<A> || ...);
template <class... A>
concept any_operands = tensor_operands<A...> && level_of_call<A...>
== operand_level::any;
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
// Nothing. It stands in the name of every expression, a thousand times in what -g says of a file, so its own is short.
struct bare : constant_attributes<bare> {
  static constexpr bare typed() { return {}; }
};
using no_attributes = bare;

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
template <class Op, class Attributes, class E>
struct operand_does_not_fit {
  static_assert(
      always_false<Op>,
      "the operand does not fit what is asked for: an axis is not there, or is named twice, or there are other "
      "numbers of elements (operation, what is asked for, extents: see the type above)");
};
template <class Op, class Attributes, class... E>
struct does_not_fit {
  using type = operands_do_not_fit<Op, Attributes, E...>;
};
template <class Op, class Attributes, class E>
requires(!std::is_same_v<Attributes, no_attributes>) struct does_not_fit<Op, Attributes, E> {
  using type = operand_does_not_fit<Op, Attributes, E>;
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
requires is_arithmetic<A>
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
// those of an any_tensor
struct unknown_extents {};
template <class A>
requires is_any_tensor<A>
struct operand_extents<A> {
  using type = unknown_extents;
};
// whether an operand is of an order, or may turn out to be
template <class A, int Order>
constexpr bool may_be_of_order = operand_extents<std::remove_cvref_t<A>>::type::rank == Order;
template <class A, int Order>
requires any_operands<A>
constexpr bool may_be_of_order<A, Order> = true;
template <class Op, class Attributes, class... A>
using extents_of_call =
    typename shapes::result_type<Op, Attributes, typename operand_extents<std::remove_cvref_t<A>>::type...>::type;

namespace shapes {
// Whether operands of such extents do not go together, which the type of the result reports. Asked before such a call
// is recorded, so that nothing else is said of it.
template <class Op, class Attributes, class First, class... Rest>
constexpr bool misfit() {
  if constexpr (same_for_all_elements<Op> && ((std::is_same_v<First, Rest> || Rest::rank == 0) && ...))
    return false;
  else
    return !result<Op, Attributes, First, Rest...>::shapes_fit;
}
}  // namespace shapes

// Element types of a call: the tensors promote, then what is weak adapts.
template <class A>
constexpr dtype strong_type() {
  using T = std::remove_cvref_t<A>;
  if constexpr (is_arithmetic<T> || is_weak<T> || is_any_tensor<T>)
    return dtype::none;
  else
    return dtype_of<typename T::value_type>;
}
template <class A>
constexpr dtype own_type() {
  using T = std::remove_cvref_t<A>;
  if constexpr (is_arithmetic<T>)
    return dtype_of<element_t<T>>;
  else if constexpr (is_any_tensor<T>)
    return dtype::none;
  else
    return dtype_of<typename T::value_type>;
}
// the type with which operand A enters beside tensors that promote to `strong`
template <class A>
constexpr dtype entering_type(dtype strong) {
  if (strong_type<A>() != dtype::none || strong == dtype::none) return own_type<A>();
  return promote_weak(strong, own_type<A>());
}
// whether x, written to elements of type T, would lose an imaginary part
template <class T, class X>
inline constexpr bool loses_imaginary_part = !is_complex(dtype_of<T>) && is_complex(own_type<X>());
template <class Op>
constexpr int first_numeric_of() {
  if constexpr (requires { Op::first_numeric; })
    return Op::first_numeric;
  else
    return 0;
}
template <class Op, class... A>
constexpr dtype strong_type_of_call() {
  int k = 0;
  dtype const types[] = {(k++ >= first_numeric_of<Op>() ? strong_type<A>() : dtype::none)...};
  return promote_list(types, int(sizeof...(A)));
}
// Whether operand k is an index. A number keeps its own type there: elements of half precision do not hold all indices.
template <class Op>
constexpr bool is_index_operand(int k) {
  if constexpr (requires { Op::last_index; })
    return k >= Op::first_index && k <= Op::last_index;
  else if constexpr (requires { Op::first_index; })
    return k >= Op::first_index;
  else
    return false;
}
// Whether Op has operands that do not stand beside the elements of the others: indices, or measures (a distance, a
// tolerance, a count), which are those from `first_measure` on.
template <class Op>
concept has_operands_apart = requires {
  Op::first_index;
}
|| requires { Op::first_measure; };
// The type beside which operand k enters, where the tensors promote to `strong`; none where it keeps its own: an index
// does, and so does a measure beside integers, whose type may not hold it.
template <class Op>
constexpr dtype strong_type_for(int k, dtype strong) {
  if (is_index_operand<Op>(k)) return dtype::none;
  if constexpr (requires { Op::first_measure; })
    if (k >= Op::first_measure && !is_inexact(strong)) return dtype::none;
  return strong;
}
// the type to which all operands promote
template <class Op, class... A>
constexpr dtype promote_operands() {
  return promote_all(entering_type<A>(strong_type_of_call<Op, A...>())...);
}
template <class Op, class... A>
inline constexpr dtype promoted_type_of_call = promote_operands<Op, A...>();
template <class Op, class... A>
constexpr dtype result_type_of_operands() {
  constexpr dtype strong = strong_type_of_call<Op, A...>();
  if constexpr (requires { Op::first_measure; }) return []<std::size_t... K>(std::index_sequence<K...>) {
      return Op::type_of_result(entering_type<A>(strong_type_for<Op>(int(K), strong))...);
    }
  (std::index_sequence_for<A...>{});
  else return Op::type_of_result(entering_type<A>(strong)...);
}
template <class Op, class... A>
inline constexpr dtype type_of_call = result_type_of_operands<Op, A...>();

}  // namespace ricci
RICCI_OPTIMIZED_END
