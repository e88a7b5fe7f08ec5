// Statements inside constant expressions: the interpreter computes them there, operation by operation.
#pragma once

#include <ricci/exec/interpret/run.hpp>
#include <ricci/expr/reify.hpp>
#include <ricci/transform/derivatives.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

// How an operand becomes a computed value; the same walk as `reify` and `bind` do.
using constant = ir::value<ir::eager>;

// What lies in memory: its elements are copied, in row-major order.
template <class X>
constexpr constant constant_value(ir::eager_graph& g, X const& x) {
  using T = std::remove_const_t<typename X::value_type>;
  shape_t shape{};
  for (int k = 0; k < X::rank; ++k) shape.push(x.extent_values()[k]);
  constant const v = ir::argument<ir::eager>(g, dtype_of<T>, shape, g.size);
  T* const to = g.allocate<T>(v.id);
  auto const strides = x.stride_values();
  ir::counter at{g.shape(v.id)};
  index_t const n = size_of(shape);
  for (index_t k = 0; k < n; ++k, at.next()) to[k] = x.data()[at.offset(strides.values)];
  return v;
}
template <class T>
constexpr constant constant_value(ir::eager_graph& g, number_leaf<T> const& x) {
  constant const v = ir::argument<ir::eager>(g, dtype_of<T>, shape_t{}, g.size);
  *g.allocate<T>(v.id) = x.value;
  return v;
}
template <label Name, class Leaf>
constexpr constant constant_value(ir::eager_graph& g, labelled<Name, Leaf> const& x) {
  return constant_value(g, x.leaf);
}
template <class Op, class Attributes, class... A>
constexpr constant constant_value(ir::eager_graph& g, node<Op, Attributes, A...> const& x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    constant const operands[] = {constant_value(g, expr::operand<I>(x.operands()))...};
    return ir::recorded<Op>(x.attributes().lowered(), operands[I]...);
  }
  (std::make_integer_sequence<int, sizeof...(A)>{});
}

// Writes the elements of e to a tensor or view in place, whose shape they have or are broadcast to. (The mode is a
// parameter, so that what it needs of the interpreter is not instantiated where nothing is evaluated.)
template <class To, class E, class Mode = ir::eager>
constexpr void evaluate_constant(To const& to, auto* elements, E const& e) {
  using T = typename To::value_type;
  ir::eager_graph g;
  shape_t shape{};
  for (int k = 0; k < To::rank; ++k) shape.push(to.extent_values()[k]);
  ir::value<Mode> v = ir::cast(constant_value(g, e), dtype_of<T>);
  v = ir::broadcast_to(v, ir::intern(static_cast<ir::basic_graph<ir::growing_storage>&>(g), shape));
  T const* const from = g.elements<T>(v.id);
  auto const strides = to.stride_values();
  ir::counter at{shape};
  index_t const n = size_of(shape);
  for (index_t k = 0; k < n; ++k, at.next()) elements[at.offset(strides.values)] = from[k];
}

// Whether all that an expression reads lies in place, so that a constant expression can read it.
template <class X>
inline constexpr bool reads_in_place = requires {
  requires !X::shared;
};
template <class T>
inline constexpr bool reads_in_place<number_leaf<T>> = true;
template <label Name, class Leaf>
inline constexpr bool reads_in_place<labelled<Name, Leaf>> = reads_in_place<Leaf>;
template <class Op, class Attributes, class... A>
inline constexpr bool reads_in_place<node<Op, Attributes, A...>> = (reads_in_place<A> && ...);

}  // namespace RICCI_ABI
}  // namespace ricci::exec
