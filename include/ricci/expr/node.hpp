// Lazy expressions. A node holds its operands and nothing else: views of what it does not own, tensors that were moved
// into it, numbers, other nodes. What it computes is its graph, a constant of its type.
#pragma once

#include <ricci/expr/leaf.hpp>
#include <ricci/shape/axes.hpp>

RICCI_OPTIMIZED
namespace ricci {

template <class T>
inline constexpr bool is_expression = false;
// A tensor that is computed from others when it is evaluated; its graph is a constant of its type.
template <class T>
concept Expression = Tensor<T> && is_expression<std::remove_cvref_t<T>>;

namespace expr {

// The graph of an expression as it was written (expr/reify.hpp).
template <class E>
struct graph_of;
// What an operand shows of memory (expr/lazy_view.hpp).
template <class X>
struct memory_view;

// Copies and destructors are written out only to be inlined early: then the compiler sees that no temporary node of a
// statement needs memory, and that counts of shared memory go up and down again.
template <int I, class T>
struct operand_holder {
  T value;
  template <class X>
  RICCI_INLINE constexpr explicit operand_holder(X&& x) : value(static_cast<X&&>(x)) {}
  RICCI_INLINE constexpr operand_holder(operand_holder const&) = default;
  RICCI_INLINE constexpr operand_holder(operand_holder&&) = default;
  RICCI_INLINE constexpr ~operand_holder() = default;
};
template <class Indices, class... A>
struct operand_list;
template <int... I, class... A>
struct operand_list<std::integer_sequence<int, I...>, A...> : operand_holder<I, A>... {
  template <class... X>
  requires(sizeof...(X) == sizeof...(A)) RICCI_INLINE constexpr explicit operand_list(X&&... x)
      : operand_holder<I, A>(static_cast<X&&>(x))... {}
  RICCI_INLINE constexpr operand_list(operand_list const&) = default;
  RICCI_INLINE constexpr operand_list(operand_list&&) = default;
  RICCI_INLINE constexpr ~operand_list() = default;
};

template <int I, class T>
RICCI_INLINE constexpr T const& operand(operand_holder<I, T> const& h) {
  return h.value;
}

}  // namespace expr

template <class Op, class Attributes, class... A>
class node {
 public:
  using operation = Op;
  using value_type = type_of<Op::type_of_result(dtype_of<typename A::value_type>...)>;
  using extents = extents_of_call<Op, Attributes, A...>;
  static constexpr int rank = extents::rank;
  static constexpr ir::graph const& graph = expr::graph_of<node>::value;
  using operands_type = expr::operand_list<std::make_integer_sequence<int, sizeof...(A)>, A...>;

  template <class... X>
  RICCI_INLINE constexpr explicit node(Attributes const& a, X&&... x)
      : operands_(static_cast<X&&>(x)...), attributes_(a) {}
  RICCI_INLINE constexpr node(node const&) = default;
  RICCI_INLINE constexpr node(node&&) = default;
  RICCI_INLINE constexpr ~node() = default;

  RICCI_INLINE constexpr operands_type const& operands() const { return operands_; }
  RICCI_INLINE constexpr Attributes const& attributes() const { return attributes_; }

  // a run-time extent, without evaluating
  RICCI_INLINE constexpr index_t shape(int axis) const {
    if constexpr (extents::is_static)
      return extents::extent(axis_named("shape", axis, rank));
    else
      return shape_of_expression(*this)[std::size_t(axis_named("shape", axis, rank))];
  }
  RICCI_INLINE constexpr shape_values<rank> shape() const { return shape_of_expression(*this); }
  // of order 2: the axes exchanged
  RICCI_INLINE constexpr auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  // one element, if there is only one
  RICCI_INLINE constexpr value_type item() const requires(rank == 0) { return evaluate_item(*this); }
  // a comparison of numbers is a condition; other conversions say so
  template <Arithmetic U>
  requires(rank == 0) RICCI_INLINE constexpr explicit(!std::is_same_v<value_type, bool> || !std::is_same_v<U, bool>)
  operator U() const {
    return scalar::convert<U>(evaluate_item(*this));
  }
  // an element, or a part (expr/lazy_view.hpp)
  template <class... I>
  requires(rank > 0) RICCI_INLINE constexpr auto operator()(I const&... items) const {
    return index_node(*this, items...);
  }
  template <class I>
  wrong::parts_are_named_in_parentheses operator[](I&&) const = delete;  // x(0), x(0, 1), x(rc::all, 0)
  template <class X>
  constexpr void operator=(X const&) const {
    static_assert(always_false<X>,
                  "this is no tensor or view that can be assigned to: it is computed, or shows elements of a const "
                  "tensor (which is read only), of a temporary, or each in several places");
  }
  // as in `if (a == b)`
  template <class U = void>
  requires(rank > 0) constexpr explicit operator bool() const {
    static_assert(
        always_false<U>,
        "a tensor of order 1 or more is no condition: ask ricci::all or ricci::any of its elements; element by "
        "element and, or, not are &, |, !");
    return false;
  }

 private:
  operands_type operands_;
  [[no_unique_address]] Attributes attributes_;
};

// Whether an operand is a variable (autodiff/variable.hpp), or an expression with one.
template <class X>
inline constexpr bool holds_variables = false;
template <class Op, class Attributes, class... A>
inline constexpr bool holds_variables<node<Op, Attributes, A...>> = (holds_variables<A> || ...);
// Whether an operand has a name, by which derivatives ask for it: what is computed of it at once would be a constant.
template <class X>
inline constexpr bool holds_names = false;
template <label Name, class Leaf>
inline constexpr bool holds_names<labelled<Name, Leaf>> = true;
template <class Op, class Attributes, class... A>
inline constexpr bool holds_names<node<Op, Attributes, A...>> = (holds_names<A> || ...);
template <class X>
struct derived_by_nobody {
  static_assert(!holds_variables<X> && !holds_names<X>,
                "this is computed at once, so derivatives would take it for a constant: hand it x.value() of a "
                "variable, rc::eval(e) of an expression with named operands");
};

template <class Op, class Attributes, class... A>
inline constexpr bool is_native_tensor<node<Op, Attributes, A...>> = true;
template <class Op, class Attributes, class... A>
inline constexpr bool is_expression<node<Op, Attributes, A...>> = true;

namespace expr {
// An expression as the node that it is, whatever else can be done with it.
template <class Op, class Attributes, class... A>
RICCI_INLINE constexpr node<Op, Attributes, A...> const& as_node(node<Op, Attributes, A...> const& x) {
  return x;
}
}  // namespace expr

// ---- how operands are held ----

template <class Op, class Attributes, class... A>
RICCI_INLINE constexpr node<Op, Attributes, A...> held(node<Op, Attributes, A...> const& x) {
  return x;
}
template <class Op, class Attributes, class... A>
RICCI_INLINE constexpr node<Op, Attributes, A...> held(node<Op, Attributes, A...>&& x) {
  return static_cast<node<Op, Attributes, A...>&&>(x);
}
// (expr/foreign.hpp)
template <class F>
requires foreign_operands<F> RICCI_INLINE constexpr auto held(F&& x);

template <dtype Strong, class X>
RICCI_INLINE constexpr auto held_operand(X&& x) {
  if constexpr (level_of<X> == operand_level::number) {
    using T = type_of<entering_type<X>(Strong)>;
    return number_leaf<T>{scalar::convert<T>(x)};
  } else {
    return held(static_cast<X&&>(x));
  }
}

// Nodes that may be assigned to (expr/lazy_view.hpp), and whether the operands of a call allow that.
template <class Op, class Attributes, class X>
class lazy_view;
template <class X>
inline constexpr bool is_lazy_view = false;
template <class Op, class Attributes, class X>
inline constexpr bool is_lazy_view<lazy_view<Op, Attributes, X>> = true;
// (functions: nvcc finds no such requirement fulfilled in a variable)
template <class X>
constexpr bool is_writable() {
  using Y = std::remove_reference_t<X>;
  if constexpr (is_lazy_view<std::remove_const_t<Y>>)
    return true;
  else if constexpr (requires(Y & x) { x.data(); })
    return !std::is_const_v<std::remove_pointer_t<decltype(std::declval<Y&>().data())>> &&
           (std::is_lvalue_reference_v<X> || !is_whole_tensor<std::remove_const_t<Y>>);
  else
    return false;
}
template <class Op, class Node, class... X>
constexpr bool makes_lazy_view() {
  if constexpr (requires { Op::one_to_one; })
    if constexpr (Op::one_to_one && (is_writable<X>() && ...)) return expr::memory_view<Node>::exists;
  return false;
}

// A node of which some operands are indices or measures, which keep their type.
template <class Op, class Attributes, class... X, std::size_t... K>
RICCI_INLINE constexpr auto make_node_with_operands_apart(Attributes const& attributes, std::index_sequence<K...>,
                                                          X&&... x) {
  constexpr dtype strong = strong_type_of_call<Op, X...>();
  using node_type =
      node<Op, Attributes, decltype(held_operand<strong_type_for<Op>(int(K), strong)>(static_cast<X&&>(x)))...>;
  return node_type(attributes, held_operand<strong_type_for<Op>(int(K), strong)>(static_cast<X&&>(x))...);
}
template <class Op, class Attributes, class... X>
RICCI_INLINE constexpr auto make_node(Op, Attributes const& attributes, X&&... x) {
  constexpr dtype strong = strong_type_of_call<Op, X...>();
  using node_type = node<Op, Attributes, decltype(held_operand<strong>(static_cast<X&&>(x)))...>;
  if constexpr (has_operands_apart<Op>)
    return make_node_with_operands_apart<Op, Attributes, X...>(attributes, std::index_sequence_for<X...>{},
                                                               static_cast<X&&>(x)...);
  else if constexpr (makes_lazy_view<Op, node_type, X...>())
    return lazy_view<Op, Attributes, decltype(held_operand<strong>(static_cast<X&&>(x)))...>(
        attributes, held_operand<strong>(static_cast<X&&>(x))...);
  else
    return node_type(attributes, held_operand<strong>(static_cast<X&&>(x))...);
}

// The operand `x`, a tensor, under a name, by which derivatives ask for it.
template <label Name, class X>
requires operands<X> RICCI_INLINE constexpr auto wrt(X&& x) {
  static_assert(
      !is_arithmetic<std::remove_cvref_t<X>>,
      "wrt<\"...\">(x) names a tensor: of a number x make one of order 0, rc::tensor<double> t(x), and name that");
  if constexpr (!is_arithmetic<std::remove_cvref_t<X>>)
    return labelled<Name, decltype(held(static_cast<X&&>(x)))>{held(static_cast<X&&>(x))};
}

}  // namespace ricci
RICCI_OPTIMIZED_END
