// Derivatives of statements: an expression in, an expression out, lazy like any other. Operands are named by
// `rc::wrt<"x">(x)`.
//
//   auto e = rc::sum(rc::exp(rc::wrt<"x">(x)));
//   rc::tensor<double, 3> de = 2. * rc::derivative<"x">(e);
//
// What a template like gradient_t does to an expression's type is a loop over its graph; the type only names it.
#pragma once

#include <ricci/expr/reify.hpp>
#include <ricci/shape/axes.hpp>
#include <ricci/transform/derivatives.hpp>
#include <ricci/transform/forward.hpp>
#include <ricci/transform/reverse.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci {

// An expression that a transform makes of the expression it holds. `Transform` says what is done to the graph and which
// extents that has.
template <class Transform, class... E>
class derived {
 public:
  using first = std::tuple_element_t<0, std::tuple<E...>>;
  using value_type = typename first::value_type;
  using extents = typename Transform::template extents_of<first>;
  static constexpr int rank = extents::rank;
  static constexpr ir::graph const& graph = expr::graph_of<derived>::value;
  using operands_type = expr::operand_list<std::make_integer_sequence<int, sizeof...(E)>, E...>;

  RICCI_INLINE constexpr explicit derived(E const&... e) : operands_(e...) {}
  RICCI_INLINE constexpr operands_type const& operands() const { return operands_; }
  constexpr index_t shape(int axis) const {
    return shape_of_expression(*this)[std::size_t(axis_named("shape", axis, rank))];
  }
  constexpr value_type item() const requires(rank == 0) { return evaluate_item(*this); }
  template <Arithmetic U>
  requires(rank == 0) constexpr explicit operator U() const { return scalar::convert<U>(evaluate_item(*this)); }

 private:
  operands_type operands_;
};
template <class Transform, class... E>
inline constexpr bool is_native_tensor<derived<Transform, E...>> = true;
template <class Transform, class... E>
inline constexpr bool is_expression<derived<Transform, E...>> = true;
template <class Transform, class... E>
inline constexpr bool holds_variables<derived<Transform, E...>> = (holds_variables<E> || ...);
template <class Transform, class... E>
inline constexpr bool holds_names<derived<Transform, E...>> = (holds_names<E> || ...);
template <class Transform, class... E>
RICCI_INLINE constexpr derived<Transform, E...> held(derived<Transform, E...> const& x) {
  return x;
}

namespace expr {

template <class Transform, class... E>
struct reified<derived<Transform, E...>> {
  static constexpr int arguments = (reified<E>::arguments + ...), slots = (reified<E>::slots + ...);
  static constexpr int memory = (reified<E>::memory | ...);
  static constexpr int deferred = (reified<E>::deferred + ...);
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    // derivatives need rules, which plain statements go without
    reifier<ir::traced> with_rules{r.g};
    take_state(with_rules, r);
    ir::value<ir::traced> const operands[] = {reified<E>::value(with_rules)...};
    int const id = Transform::apply(with_rules, operands).id;
    take_state(r, with_rules);
    return {&r.g, id};
  }
  template <class To, class From>
  static constexpr void take_state(To& to, From const& from) {
    to.arguments = from.arguments, to.slots = from.slots, to.names = from.names, to.labels = from.labels;
    for (int k = 0; k < from.names; ++k) to.name[k] = from.name[k], to.name_dim[k] = from.name_dim[k];
    for (int k = 0; k < from.labels; ++k) {
      to.label_value[k] = from.label_value[k];
      for (int w = 0; w < 4; ++w) to.label[k][w] = from.label[k][w];
    }
    for (int k = 0; k < from.arguments; ++k)
      to.dense[k] = from.dense[k], to.whole[k] = from.whole[k], to.number[k] = from.number[k];
  }
};
template <int A, class B, class Transform, class... E>
RICCI_INLINE constexpr void bind(B& b, derived<Transform, E...> const& x) {
  [&]<int... I>(std::integer_sequence<int, I...>) RICCI_INLINE_LAMBDA {
    (bind<A + arguments_before<I, E...>()>(b, operand<I>(x.operands())), ...);
  }
  (std::make_integer_sequence<int, sizeof...(E)>{});
}

// The operand of an expression that has a name: its type, void where there is none.
template <label Name, class X>
struct named_operand {
  using type = void;
};
template <label Name, class Leaf>
struct named_operand<Name, labelled<Name, Leaf>> {
  using type = labelled<Name, Leaf>;
};
template <class A, class B>
struct first_operand {
  using type = A;
};
template <class B>
struct first_operand<void, B> {
  using type = B;
};
template <label Name, class... A>
struct named_among {
  using type = void;
};
template <label Name, class A, class... Rest>
struct named_among<Name, A, Rest...>
    : first_operand<typename named_operand<Name, A>::type, typename named_among<Name, Rest...>::type> {};
template <label Name, class Op, class Attributes, class... A>
struct named_operand<Name, node<Op, Attributes, A...>> : named_among<Name, A...> {};
template <label Name, class Transform, class... E>
struct named_operand<Name, derived<Transform, E...>> : named_among<Name, E...> {};

template <label Name, class E>
struct require_name {
  using type = typename named_operand<Name, E>::type;
  static_assert(!std::is_void_v<type>, "the expression has no operand of that name: name it by ricci::wrt<\"...\">(x)");
  static_assert(
      [] {
        if constexpr (std::is_void_v<type>)
          return true;
        else
          return is_inexact(dtype_of<typename type::value_type>);
      }(),
      "a derivative is by an operand of floating-point or complex numbers, and this one's are integers or conditions");
  using extents = typename E::extents;
};
template <label Name>
constexpr int value_of_name(auto const& r) {
  for (int k = 0; k < r.labels; ++k)
    if (r.label[k][0] == Name.w0 && r.label[k][1] == Name.w1 && r.label[k][2] == Name.w2 && r.label[k][3] == Name.w3)
      return r.label_value[k];
  return 0;
}

}  // namespace expr

namespace tracing {
inline namespace RICCI_ABI {

// The gradient of an expression of order 0 with respect to an operand.
template <label Name>
struct gradient_in {
  template <class E>
  struct require_number : expr::require_name<Name, E> {
    static_assert(E::rank == 0, "a gradient belongs to an expression of order 0: sum it, or ask for a tangent");
  };
  template <class E>
  using extents_of = typename require_number<E>::type::extents;
  template <class R, class V>
  static constexpr V apply(R& r, V const* e) {
    static_assert(std::is_same_v<typename V::mode, ir::traced>);
    int const x = expr::value_of_name<Name>(r), one_id = ir::full_like(e[0], 1).id;
    int result = 0;
    transform::reverse<ir::traced>(r.g, 1, {&e[0].id, 1}, {&one_id, 1}, {&x, 1}, &result);
    return result ? V{&r.g, result} : ir::zeros_like(V{&r.g, x});
  }
};
// The tangent of an expression where that of an operand is given, all ones if it is not.
template <label Name>
struct tangent_in {
  template <class E>
  using extents_of = typename expr::require_name<Name, E>::extents;
  template <class R, class V>
  static constexpr V apply(R& r, V const* e) {
    return with(r, e[0], ir::full_like(V{&r.g, expr::value_of_name<Name>(r)}, 1));
  }
  template <class R, class V>
  static constexpr V with(R& r, V e, V direction) {
    int const x = expr::value_of_name<Name>(r);
    int result = 0;
    transform::forward<ir::traced>(r.g, 1, r.g.size, {&x, 1}, {&direction.id, 1}, {&e.id, 1}, &result);
    return result ? V{&r.g, result} : ir::zeros_like(e);
  }
};
template <label Name>
struct tangent_along : tangent_in<Name> {
  template <class R, class V>
  static constexpr V apply(R& r, V const* e) {
    V const x{&r.g, expr::value_of_name<Name>(r)};
    return tangent_in<Name>::with(r, e[0], ir::checked_broadcast_to(ir::cast(e[1], x.type()), x.shape_id()));
  }
};
template <level Level>
struct simplification {
  template <class E>
  using extents_of = typename E::extents;
  template <class R, class V>
  static constexpr V apply(R& r, V const* e) {
    int id = e[0].id;
    transform::simplify<ir::traced, Level>(r.g, 1, &id, 1);
    return {&r.g, id};
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

template <Expression E, label Name>
using gradient_t = derived<tracing::gradient_in<Name>, E>;
template <Expression E, label Name>
using tangent_t = derived<tracing::tangent_in<Name>, E>;
template <Expression E, level Level = level::exact>
using simplified_t = derived<tracing::simplification<Level>, E>;

// The derivative of an expression with respect to the operand of that name: the gradient where the expression is one
// number, else element by element, as for an expression of operations that are elementwise in the operand.
template <label Name, Expression E>
RICCI_INLINE constexpr auto derivative(E const& e) {
  if constexpr (E::rank == 0)
    return gradient_t<E, Name>(e);
  else
    return tangent_t<E, Name>(e);
}
// in the direction of a tangent of the operand
template <label Name, Expression E, class X>
requires operands<X> RICCI_INLINE constexpr auto derivative(E const& e, X&& tangent) {
  auto direction = held_operand<dtype_of<typename E::value_type>>(static_cast<X&&>(tangent));
  return derived<tracing::tangent_along<Name>, E, decltype(direction)>(e, direction);
}
// The same value by a simplified graph.
template <level Level = level::exact, Expression E>
RICCI_INLINE constexpr auto simplified(E const& e) {
  return simplified_t<E, Level>(e);
}

}  // namespace ricci
