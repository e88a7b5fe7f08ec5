// A graph: instructions in the order in which they were recorded, each a single assignment, equal ones merged as they
// come. Id 0 is no value. The arrays are C arrays of trivial types: a constant evaluation then touches only what is
// used, and g++ evaluates their accesses three times as fast as those of std::array.
#pragma once

#include <ricci/core/limits.hpp>
#include <ricci/graph/instruction.hpp>
#include <ricci/shape/extents.hpp>

RICCI_OPTIMIZED
namespace ricci::ir {

// An extent, stride or size that is only known when the graph runs. It is written as a number far below any that an
// extent can be.
enum class dim_op : std::uint8_t {
  argument,  // extent of axis b of argument a
  stride,    // stride of axis b of argument a, in elements
  slot,      // run-time number a of a statement
  plus,
  times,
  divide,     // truncated; 0 where b is 0
  remainder,  // what that leaves of a
  broadcast,  // the one that is not 1
  length,     // a, or 0 where that is negative
  iteration,  // the number of the iteration of region a, from 0
  unless_one  // a == 1 ? 0 : b
};
// whether it comes with the operands, else it is made from dimensions a and b
constexpr bool is_given(dim_op op) {
  return op == dim_op::argument || op == dim_op::stride || op == dim_op::slot || op == dim_op::iteration;
}
struct dim_expr {
  dim_op op;
  index_t a, b;
};
inline constexpr index_t first_symbolic = -(index_t(1) << 62);
constexpr bool is_symbolic(index_t d) { return d < first_symbolic + (1 << 30); }
constexpr int dim_index(index_t d) { return static_cast<int>(d - first_symbolic); }
constexpr index_t dim_id(int index) { return first_symbolic + index; }

// What has to hold between run-time extents, and who asks for it.
enum class check_kind : std::uint8_t {
  equal,
  broadcastable,  // equal, or one of them 1
  broadcasts_to,  // b becomes a: equal, or b is 1
  reaches,        // b elements of an axis of extent a are named by an index
  begins,         // an index or range starts or stops at a, which is at least b: 0
  extent,         // a is asked for as an extent, which is at least b: 0 or 1
  positive        // a, what is left to divide by, is at least b: 1
};
struct check {
  check_kind kind;
  index_t a, b;
  op_facts const* op;
  int shapes[2];  // of its operands; -1: there is no second one
};
// In whose name an error about extents is reported. A formula of more than two operands has -1 for both shapes: then
// they are those of the part that asks.
struct asker {
  op_facts const* op = no_asker;
  int shapes[2] = {};
};

// How many instructions a compiled graph can hold; other tables are in proportion.
inline constexpr int capacity = RICCI_MAX_OPERATIONS;

// regions of a graph, of which those of derivatives are some
inline constexpr int max_scopes = capacity / 16;

// Storage of a graph that the compiler computes.
struct fixed_storage {
  template <class T, int N>
  using array = T[N];
  template <class T, int N>
  static constexpr void reserve(T (&)[N], int n) {
    if (n <= N) return;
    if constexpr (std::is_same_v<T, shape_t>)
      limits::a_traced_function_has_more_shapes_than_an_eighth_of_RICCI_MAX_OPERATIONS();
    else if constexpr (std::is_same_v<T, dim_expr>)
      limits::a_traced_function_has_more_symbolic_extents_than_an_eighth_of_RICCI_MAX_OPERATIONS();
    else if constexpr (std::is_same_v<T, check>)
      limits::a_traced_function_needs_more_than_512_checks_of_extents();
    else  // tables by instruction or dimension, which have room for all of them
      __builtin_unreachable();
  }
  // room for one more instruction
  template <class G>
  static constexpr void reserve(G const& g, int operands, int attributes) {
    if (attributes > max_attributes && g.attr_count + attributes > capacity)  // a table: nothing else has as many
      limits::the_constants_of_a_traced_function_have_more_elements_than_fit_make_them_arguments();
    if (g.size >= capacity || g.operand_count + operands > 2 * capacity || g.attr_count + attributes > capacity)
      limits::a_traced_function_has_more_operations_than_RICCI_MAX_OPERATIONS_unroll_its_loops_less();
  }
  static constexpr bool merges = true;
};

template <class Storage>
struct basic_graph {
  using storage = Storage;
  using instruction = ir::instruction<basic_graph>;
  template <class T, int N>
  using array = typename Storage::template array<T, N>;

  int size = 1;         // the next id
  int shape_count = 1;  // shape 0 is ()
  bool selects;         // there is a selection, which may mask a cotangent (ops/masked.hpp)
  int operand_count, attr_count, dim_count, check_count, output_count, fresh_count;
  int place_count;         // of places in a program that asked for a number of their own, as what is random there does
  int scope, scope_count;  // the region that instructions are recorded in; how many there are
  int found_before;        // where it is not 0, what stands around the region is only found again before this
  // of a finished graph (transform/simplify.hpp): how many dimensions it was recorded with, whether extents were taken
  // for equal, and whether all that was recorded are elementwise operations on arguments that may be broadcast
  int exact_dims;
  asker formula;  // the formula that is being recorded, which a program called: what it is made of asks in its name
  bool takes_for_equal, elementwise;
  array<instruction, capacity> ins;
  array<int, 2 * capacity> operands;
  array<index_t, capacity> attributes;
  array<shape_t, capacity / 8> shapes;
  array<dim_expr, capacity / 8> dims;
  array<index_t, capacity / 8> dim_alias;  // 0, or 1 + the extent that this one was found to equal
  array<check, limits::most_checks> checks;
  array<int, limits::most_arguments> outputs;
  array<int, limits::most_arguments> exact_shapes;  // of the outputs of a finished graph, as they were recorded
  array<int, capacity / 8> bucket;
  array<int, max_scopes> outer;   // of each region, the one around it
  array<int, max_scopes> begins;  // and the instruction at its beginning; recorded again, it has a body of its own
  array<int, max_scopes> beside;  // a later loop whose first carries are those of this one; 0: none

  constexpr int in(int id, int k) const { return operands[ins[id].first + k]; }
  constexpr index_t attr(int id, int k) const { return attributes[ins[id].attr + k]; }
  constexpr shape_t const& shape(int id) const { return shapes[ins[id].shape]; }
};

using graph = basic_graph<fixed_storage>;

}  // namespace ricci::ir
RICCI_OPTIMIZED_END
