// One instruction of a graph: which operation, of which values, giving what. Plain data, so that a graph can be
// computed by the compiler. What an operation *is* stands in its struct (ops/); an instruction holds the address of a
// descriptor.
#pragma once

#include <ricci/graph/core_signature.hpp>
#include <ricci/shape/affine_map.hpp>

namespace ricci::ir {

// What the passes have to know of an operation; everything else they leave to its struct.
enum class op_kind : std::uint8_t {
  argument,     // an operand of the whole graph
  literal,      // one number, in any shape
  number,       // a scalar made from symbolic dimensions
  table,        // numbers in row-major order, in the attributes
  alias,        // the operand itself (arguments of nested traces, stop_gradient)
  elementwise,  // operands of one shape, result of the same shape
  view,         // another look at the operand's elements: permuted, broadcast, sliced
  reshape,      // the same elements in row-major order
  reduce,       // over the axes in attribute 0
  contract,     // (batch..., m, k) x (batch..., k, n)
  index,        // data-dependent rows of operand 0
  scatter,      // rows added to or written over those of operand 0
  assemble,     // parts written side by side or over one another
  call,         // what brings its own loop (core_signature.hpp); its other results follow it, as parts
  part,         // result number attribute 0 of the call or loop before it
  region,       // where the instructions of a loop's body begin (ops/loop.hpp)
  carry,        // there, what one iteration takes over from the one before it
  next,         // there, what the next one takes over, in memory of its own
  yield,        // there, the end: what is next, and what is stacked
  loop          // a region, once for every iteration
};

// What passes ask of a kind: a new one has a row here.
struct kind_traits {
  bool has_dims;     // its attributes are dimensions, which a pass may come to know better
  bool is_computed;  // it has elements of its own, which steps of a plan write
  bool is_cheap;     // a kernel makes it again by the way: it is rather computed twice than kept
  bool is_of_loop;   // it is part of what makes a loop
  bool is_derived;   // by the jvp and vjp of its operation, which cannot be derived without them
};
constexpr kind_traits traits_of(op_kind kind) {
  using enum op_kind;
  switch (kind) {
    case argument:
    case literal:
    case table:
    case alias:
      return {false, false, true, false, false};
    case reshape:
      return {false, false, true, false, true};
    case number:
      return {true, false, true, false, false};
    case view:
      return {true, false, true, false, true};
    case elementwise:
    case index:
      return {false, true, true, false, true};
    case reduce:
    case contract:
    case scatter:
      return {false, true, false, false, true};
    case part:
      return {false, true, false, false, false};
    case assemble:
      return {true, true, true, false, true};
    case call:
      return {true, true, false, false, true};
    case region:
      return {true, false, false, true, false};
    case carry:
    case next:
    case loop:
      return {false, true, false, true, false};
    case yield:
      return {false, false, false, true, false};
  }
  __builtin_unreachable();
}

struct op_facts {
  char const* name;
  std::uint64_t id;  // of the operation's type
  op_kind kind;
  std::uint8_t cost;  // of one element, an addition being 1; decides what is computed twice rather than stored
  bool commutative;
  // of views: which element of the operand is which element of the result
  affine_map (*map)(index_t const* attributes, shape_t const& operand, shape_t const& result) = nullptr;
  // of what is assembled: where operand k lies in the result, which the operands fill; and whether they overlap, so
  // that they have to be written in their order
  part_map (*part)(index_t const* attributes, shape_t const& operand, int k) = nullptr;
  bool parts_overlap = false;
  call_facts const* call = nullptr;  // of calls
};

// What the struct of an operation says of that, if it is not elementwise.
template <op_kind Kind, std::uint8_t Cost>
struct operation_of_kind {
  static constexpr op_kind kind = Kind;
  static constexpr std::uint8_t cost = Cost;
  static constexpr bool commutative = false;
};

// In place of an operation where there is none.
inline constexpr op_facts no_operation{"none", 0, op_kind::alias, 0, false};

// the most operands that an instruction has
inline constexpr int max_operands = 64;
// the most attributes, but for tables
inline constexpr int max_attributes = 2 * max_rank;

// Who asks for extents where no operation does: its number is 0, and no other asker has that.
inline constexpr op_facts facts_of_no_asker{nullptr, 0, op_kind::alias, 0, false};
inline constexpr op_facts const* no_asker = &facts_of_no_asker;

// Whether two instructions are of one operation. Addresses of descriptors would say so, too, but g++ does not compare
// those of templates in constant expressions, with each other or with null, when it is told to look for null pointers
// (-fsanitize=undefined).
constexpr bool same_operation(op_facts const* a, op_facts const* b) { return a->id == b->id; }

// The derivative and batching rules of a loop, which looks at its body: it is given the tangents, activity, cotangents
// and batches of all values, by id, and fills in those of its results (or, in reverse, of what it reads). What an
// equation defines has derivatives of that kind, too (autodiff/roots.hpp).
template <class Graph>
struct loop_rules {
  void (*forward)(Graph&, int id, int* tangents) = nullptr;
  void (*reverse)(Graph&, int id, bool const* active, int* cotangents) = nullptr;
  void (*batch)(Graph&, int id, index_t n, int* batched) = nullptr;
  bool are_there = false, has_batch = false;
};

// How an instruction is differentiated and batched; null in graphs of plain statements, which nobody derives.
template <class Graph>
struct op_rules {
  // the tangent of each result; tangents[k] is 0 where operand k has none, and so may be the answers
  void (*jvp)(Graph&, int id, int const* tangents, int* results);
  // from the cotangents of the results, of which some may be 0, writes for each operand its own, or leaves 0
  void (*vjp)(Graph&, int id, int const* cotangents, int* operands);
  // of views, of what is assembled, and of aliases and calls that have one: the same of x, which are the operands with
  // another axis before all others; the result has that axis, too
  int (*batch)(Graph&, int id, int const* x);
  loop_rules<Graph> loop = {};
  // what instruction `reader` is rather, which reads the result `id`, at the level of simplification `fast`; 0: itself
  int (*consumer)(Graph&, int reader, int id) = nullptr;
};

template <class Graph>
struct instruction {
  op_facts const* op;
  op_rules<Graph> const* rules;
  void (*run)(Graph&, int id);  // interpreted graphs only: computes the value right after recording
  dtype type;
  std::uint16_t scope;    // the region that it belongs to; 0: none
  std::uint16_t results;  // how many values it gives; those behind the first follow it, as parts
  int shape;              // index into the graph's shapes
  int first, count;       // operands, in the graph's list of operands
  int attr, attrs;        // attributes, likewise
  int next;               // in its bucket of the hash table
  std::uint32_t hash;
};

}  // namespace ricci::ir
