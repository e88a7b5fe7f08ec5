// A value of a graph: what rules and transforms compute with. It knows its graph and its number there; its element type
// and shape stand in the graph. Number 0 is "no value", which a derivative of zero is.
#pragma once

#include <ricci/graph/dims.hpp>

namespace ricci::ir {

// Why a graph is recorded decides what its instructions carry.
struct statement {  // a lazy expression: never derived
  using graph = ir::graph;
  static constexpr bool derives = false, runs = false;
};
struct traced {  // a function, recorded by the compiler
  using graph = ir::graph;
  static constexpr bool derives = true, runs = false;
};

template <class Mode>
struct value {
  using mode = Mode;
  using graph_type = typename Mode::graph;

  graph_type* g = nullptr;
  int id = 0;

  constexpr explicit operator bool() const { return id != 0; }
  constexpr auto const& ins() const { return g->ins[id]; }
  constexpr dtype type() const { return g->ins[id].type; }
  constexpr int shape_id() const { return g->ins[id].shape; }
  constexpr shape_t const& shape() const { return g->shapes[g->ins[id].shape]; }
  constexpr int rank() const { return shape().rank; }
  constexpr bool is(op_facts const* op) const { return same_operation(g->ins[id].op, op); }
  constexpr value operand(int k) const { return {g, g->in(id, k)}; }
};

// how an operation is called that has no instruction of its own
inline constexpr op_facts assignment{"assignment", 1, op_kind::alias, 0, false};

// x as a value of the extents of a type. Those that the type knows are checked: numbers against themselves, names
// against those of `old`, the value so far, if there is one.
template <class Mode>
constexpr value<Mode> with_extents(value<Mode> x, shape_t const& type, value<Mode> old) {
  auto& g = *x.g;
  shape_t wanted = x.shape();
  for (int k = 0; k < wanted.rank; ++k) {
    if (type.extent[k] >= 0) wanted.extent[k] = type.extent[k];
    if (is_named(type.extent[k]) && old) wanted.extent[k] = old.shape().extent[k];
  }
  int const shape = intern(g, wanted);
  if (same_shape(g, shape, x.shape_id())) return x;
  graph_context<typename Mode::graph> c{g, &assignment, shape, x.shape_id()};
  for (int k = 0; k < wanted.rank; ++k) c.same(wanted.extent[k], x.shape().extent[k]);
  return x;
}

// how many elements it has, as a dimension
template <class Mode>
constexpr index_t element_count(value<Mode> x) {
  index_t n = 1;
  for (int k = 0; k < x.rank(); ++k) n = times(*x.g, n, x.shape().extent[k]);
  return n;
}
template <class T>
inline constexpr bool is_value = false;
template <class Mode>
inline constexpr bool is_value<value<Mode>> = true;

}  // namespace ricci::ir

namespace ricci {

// A derivative that is zero everywhere; nothing is recorded for it.
struct none_t {};
inline constexpr none_t none{};
// A derivative that is one everywhere.
inline constexpr int one = 1;

}  // namespace ricci
