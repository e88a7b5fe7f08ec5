// What an operation is told beside its operands: axes, which are named in types, and numbers, which may be known there,
// too, or at run time alone: `rc::roll(x, n, rc::axis<0>)`, `rc::tile(x, rc::extents<2, 3>{})`, `rc::tile(x,
// rc::shape(m, n))`. And the base of functions that are formulas of others and are told such.
#pragma once

#include <ricci/ops/reshaping.hpp>

namespace ricci {

// `rc::known<3>`: a number that is known in the type, where another may stand.
template <index_t N>
inline constexpr std::integral_constant<index_t, N> known{};

// Both as `shape_of` and formulas see them: in types, as numbers, or as symbolic extents of a graph.
struct axes_and_numbers {
  axis_list axes;
  int count;  // of the numbers
  index_t numbers[2 * max_rank];
  bool are_known;  // false in types where the numbers come at run time

  // of the axes of an operand of that order; -1 where it lacks one, or one is named twice
  constexpr int mask(int rank) const { return axis_mask(axes.axes, axes.count, rank); }
  // axis number k of those that are named, counted from the first of the operand
  constexpr int axis(int k, int rank) const { return int(axes.axes[k] < 0 ? axes.axes[k] + rank : axes.axes[k]); }
};

template <index_t... N>
struct known_numbers {};

// The same as it is stored in an expression: no byte where the type knows all.
template <class Axes, class Numbers>
struct told;
template <index_t... A, index_t... N>
struct told<axes_t<A...>, known_numbers<N...>> : constant_attributes<told<axes_t<A...>, known_numbers<N...>>> {
  static_assert(sizeof...(N) <= 2 * max_rank, "there are more numbers than an operation takes");
  constexpr told(known_numbers<N...>) {}
  static constexpr axes_and_numbers all{{sizeof...(A), {A...}}, sizeof...(N), {N...}, true};
  static constexpr axes_and_numbers typed() { return all; }
};
template <index_t... A, class... D>
struct told<axes_t<A...>, shape_argument<D...>> {
  static_assert(sizeof...(D) <= 2 * max_rank, "there are more numbers than an operation takes");
  static constexpr int slots = sizeof...(D);
  static constexpr axes_and_numbers axes_alone{{sizeof...(A), {A...}}, slots, {}, false};
  shape_argument<D...> numbers;

  constexpr told(shape_argument<D...> const& n) : numbers(n) {}
  static constexpr axes_and_numbers typed() { return axes_alone; }
  constexpr axes_and_numbers lowered() const {
    axes_and_numbers a = axes_alone;
    for (int k = 0; k < slots; ++k) a.numbers[k] = numbers.values[k];
    a.are_known = true;
    return a;
  }
  template <class Reifier>
  static constexpr axes_and_numbers reified(Reifier& r) {
    axes_and_numbers a = axes_alone;
    for (int k = 0; k < slots; ++k) a.numbers[k] = r.slot();
    a.are_known = true;
    return a;
  }
  constexpr void bind(index_t* to, int& count) const {
    for (int k = 0; k < slots; ++k) to[count++] = numbers.values[k];
  }
};

// Numbers as arguments: one integer or extent, rc::known<n>, or several as a shape.
template <class N>
concept Numbers = Extent<N> || ShapeArgument<N> || requires {
  std::integral_constant<typename N::value_type, N::value>{};
};
template <Numbers N>
constexpr auto numbers_of(N const& n) {
  if constexpr (Extent<N>)
    return shape(n);
  else if constexpr (!ShapeArgument<N>)
    return known_numbers<index_t(N::value)>{};
  else if constexpr (shapes::is_extents<N>)
    return []<index_t... E>(extents<E...>) { return known_numbers<E...>{}; }
  (n);
  else return shapes::argument(n);
}

// Axes and numbers as attributes of an operation, which it is given as `axes_and_numbers`.
template <index_t... A, Numbers N>
constexpr auto attributes_of(axes_t<A...>, N const& n) {
  using numbers = std::remove_cvref_t<decltype(numbers_of(n))>;
  return told<axes_t<A...>, numbers>(numbers_of(n));
}

namespace shapes {

// Arithmetic on extents that is clipped, in any context; in types, what is open stays so.
template <class Context>
constexpr index_t positive_part(Context& c, index_t n) {  // of a number
  if constexpr (requires { c.g; })
    return ir::length(c.g, n);
  else
    return n > 0 ? n : 0;
}
template <class Context>
constexpr index_t negative(Context& c, index_t n) {
  if constexpr (requires { c.g; })
    return ir::minus(c.g, 0, n);
  else
    return -n;
}
template <class Context>
constexpr index_t magnitude(Context& c, index_t n) {
  return c.plus(positive_part(c, n), positive_part(c, negative(c, n)));
}
template <class Context>
constexpr index_t left_of(Context& c, index_t n, index_t taken) {  // max(n - taken, 0)
  if constexpr (requires { c.g; })
    return ir::length(c.g, ir::minus(c.g, n, taken));
  else
    return n >= 0 && taken >= 0 ? (n > taken ? n - taken : 0) : taken == 0 ? n : dyn;
}
template <class Context>
constexpr index_t smaller(Context& c, index_t a, index_t b) {
  if constexpr (requires { c.g; })
    return ir::minus(c.g, a, left_of(c, a, b));
  else
    return a == b ? a : a >= 0 && b >= 0 ? (a < b ? a : b) : dyn;
}

}  // namespace shapes

namespace ir {

// the elements of x along an axis from `start` to the end
template <class V>
constexpr V behind(V x, int axis, index_t start) {
  return stretch(x, axis, start, minus(*x.g, x.shape().extent[axis], start));
}
// Op needs so many elements of x along an axis: an error where types show that there are fewer, else an index_error.
template <class Op, class V>
constexpr void needs_elements(V x, int axis, index_t n) {
  graph_selection<typename V::graph_type> check{*x.g, x.shape()};
  check.op = facts_of<Op>();
  check.reach(x.shape().extent[axis], n);
  graph_context<typename V::graph_type> c{*x.g, facts_of<Op>(), x.shape_id()};
  if (check.failed) c.fail();
}
// a, b and, where it is there, c behind one another in a shape that is known
template <class V>
constexpr V joined(int axis, int shape, V a, V b, V c = {}) {
  V const parts[] = {a, b, c};
  return concat_t::joined(parts, c ? 3 : 2, axis, shape);
}

}  // namespace ir

namespace joining {
// an operand that is used several times: what is no lvalue is copied for each
template <class X>
constexpr decltype(auto) again(X& x) {
  if constexpr (std::is_lvalue_reference_v<X>)
    return (x);
  else
    return std::remove_cv_t<X>(x);
}
}  // namespace joining

// A function of one operand, told axes and numbers, that is a formula of others: Derived has `shape_of` and
// `formula(told, x, shape of the result)`.
template <class Derived>
struct formula_of_one : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class X, index_t... A, Numbers N = extents<>>
  RICCI_INLINE static constexpr auto call(X&& x, axes_t<A...> axes, N const& n = {}) {
    return call_operation<Derived>(attributes_of(axes, n), static_cast<X&&>(x));
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axes_and_numbers const& a, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<Derived>(), x.shape_id()};
    int const shape = ir::requested(*x.g, Derived::shape_of(c, a, x.shape()), ir::facts_of<Derived>());
    return Derived::formula(a, x, shape);
  }
};

}  // namespace ricci
