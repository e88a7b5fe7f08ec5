// What a graph starts from, as operations without operands: arguments, literals, numbers made of extents.
#pragma once

#include <ricci/core/literal.hpp>
#include <ricci/graph/record.hpp>

namespace ricci::ir {

struct argument_t : operation_of_kind<op_kind::argument, 0> {  // attribute 0: its number
  static constexpr auto name = "argument";
};
struct literal_t : operation_of_kind<op_kind::literal, 0> {  // attribute 0: the number (core/literal.hpp)
  static constexpr auto name = "literal";
};
struct table_t : operation_of_kind<op_kind::table, 0> {  // attributes: all elements, each as in a literal
  static constexpr auto name = "constants";
};
struct number_t : operation_of_kind<op_kind::number, 0> {  // attribute 0: a symbolic dimension
  static constexpr auto name = "number";
};

template <class Mode>
constexpr value<Mode> argument(typename Mode::graph& g, dtype type, shape_t const& shape, int number) {
  index_t const attributes[] = {number};
  return record<argument_t, Mode>(g, type, intern(g, shape), {}, {attributes, 1});
}

template <class Mode>
constexpr value<Mode> literal(typename Mode::graph& g, double x, dtype type, int shape) {
  index_t const attributes[] = {core::literal_bits(x, type)};
  return record<literal_t, Mode>(g, type, shape, {}, {attributes, 1});
}
template <class Mode>
constexpr value<Mode> integer_literal(typename Mode::graph& g, index_t x, dtype type, int shape) {
  index_t const attributes[] = {core::literal_bits(x, type)};
  return record<literal_t, Mode>(g, type, shape, {}, {attributes, 1});
}
// numbers in row-major order, each as its bits in a literal
template <class Mode>
constexpr value<Mode> table(typename Mode::graph& g, span<index_t> bits, dtype type, int shape) {
  bool uniform = true;
  for (int k = 1; k < bits.size; ++k) uniform = uniform && bits.data[k] == bits.data[0];
  if (uniform) return record<literal_t, Mode>(g, type, shape, {}, {bits.data, 1});
  return record<table_t, Mode>(g, type, shape, {}, bits);
}
// the number in a literal of any type
template <class G>
constexpr double literal_number(G const& g, int id) {
  return core::literal_number(g.attr(id, 0), g.ins[id].type);
}
template <class G>
constexpr bool is_literal(G const& g, int id) {
  return same_operation(g.ins[id].op, facts_of<literal_t>());
}
template <class G>
constexpr bool is_literal(G const& g, int id, double x) {
  return is_literal(g, id) && literal_number(g, id) == x;
}

// an extent as a scalar of the graph
template <class Mode>
constexpr value<Mode> number(typename Mode::graph& g, index_t d, dtype type) {
  d = find(g, d);
  if (!is_symbolic(d)) return integer_literal<Mode>(g, d, type, 0);
  index_t const attributes[] = {d};
  return record<number_t, Mode>(g, type, 0, {}, {attributes, 1});
}

}  // namespace ricci::ir
