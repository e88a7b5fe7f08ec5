// What a plan is: the steps that compute a graph, each a fused kernel with its operands, and where every stored value
// lies. Plain data; extents, strides and sizes are numbers or symbolic dimensions of the graph.
#pragma once

#include <ricci/core/literal.hpp>
#include <ricci/graph/record.hpp>

namespace ricci::plan {

// What one kernel may take: loops keep its operands and registers in arrays of these sizes. A group of values that
// needs more is cut (emit.hpp).
inline constexpr int max_sinks = 8, max_slots = 64, max_registers = 64;

// ---- kernels: what they compute, apart from where and how much ----

// How an operand moves along the innermost loop.
enum class access : std::uint8_t { fixed, contiguous, strided };

enum class register_kind : std::uint8_t {
  load,      // an element of operand `slot`
  scalar,    // run-time constant `slot` of the step
  constant,  // -1, 0 or 1, in `slot`
  apply,     // an operation on earlier registers
  product    // the element of a matrix product to which this kernel is the epilogue
};
struct register_t {
  register_kind kind;
  dtype type;
  access moves;
  int slot;
  ir::op_facts const* op;
  int count;
  int in[3];
};
struct sink_t {
  ir::op_facts const* reduction;  // none: stored
  int reg;
  int slot;
  dtype type;
  access moves;
};

enum class step_kind : std::uint8_t {
  map,
  reduce,
  contract,
  accumulate,
  take,
  scatter,
  call,
  table,
  loop_begin,
  loop_end
};
// What the passes have to know of a kind of step.
struct step_traits {
  bool has_registers;   // it computes registers, and stores some of them
  bool is_fused;        // steps of such kinds over the same elements become one
  bool writes_as_read;  // an element that is stored is written after what it is made of has been read
  bool has_lanes;       // its loop computes SIMD registers
  int checked;          // the operand with the indices that it checks; -1: none (what calls check they say themselves)
};
constexpr step_traits traits_of(step_kind kind) {
  using enum step_kind;
  switch (kind) {
    case map:
      return {true, true, true, true, -1};
    case reduce:
      return {true, true, true, true, -1};
    case contract:
      return {true, false, true, true, -1};
    case accumulate:
      return {false, false, false, true, -1};
    case take:
      return {false, false, false, false, 1};
    case scatter:
      return {false, false, false, false, 2};
    case call:
    case table:
    case loop_begin:
    case loop_end:
      return {false, false, false, false, -1};
  }
  __builtin_unreachable();
}

constexpr bool is_frame(step_kind kind) { return kind == step_kind::loop_begin || kind == step_kind::loop_end; }

// variants of take and scatter, as bits: rows are added, not written; all that comes before the axis has indices of its
// own
inline constexpr int adds_rows = 1, own_indices = 2;

// Whether a product whose sums have type `to` reads factors of type `from` as they are; a conversion that nothing else
// reads is then dropped.
constexpr bool converts_factors(dtype from, dtype to) {
  return to == dtype::int32 && is_integer(from) && size_of(from) <= 2 && from != dtype::uint16;
}
// The variant of a product whose factors are not both of its own type, and the type of factor k.
constexpr std::uint8_t variant_of_factors(dtype a, dtype b) { return static_cast<std::uint8_t>(int(a) << 4 | int(b)); }
constexpr dtype type_of_factor(int variant, int k, dtype type) {
  return variant == 0 ? type : static_cast<dtype>(k == 0 ? variant >> 4 : variant & 15);
}
static_assert(element_types::size < 16,
              "a kernel for two element types keeps each in 4 bits of its variant: for more than 15 element types they "
              "need more (transform/plan/plan.hpp, variant)");

struct kernel_t {
  step_kind kind;
  std::uint8_t variant;    // reduce: 1 where the innermost loop is kept; contract, take and scatter: see above
  dtype type;              // of contract, accumulate, table, take, scatter, call
  ir::op_facts const* op;  // of accumulate, take, scatter and call
  std::uint32_t hash;
  int first_register, registers;
  int first_sink, sinks;
  int slots, scalars;
};

// ---- steps ----

enum class home : std::uint8_t { argument, output, workspace };

// Operand `slot` of a kernel: where it starts, and its stride along each loop, in elements.
struct operand_t {
  home where;
  dtype type;
  bool written;
  int index;       // number of the argument or output; buffer of the workspace
  index_t offset;  // in elements
  int first_stride;
};
struct scalar_t {
  bool is_dim;  // the number is a symbolic dimension
  dtype type;
  index_t bits;  // as in a literal (core/literal.hpp)
};
struct step_t {
  int kernel;
  int loops;  // map: outermost first; reduce: kept, reduced, and last the kept one of variant 1; contract: batch.., m,
              // n, k; call: batch.., then extents by letter, beside strides by axis of the core
  int kept;   // how many of them are kept
  int first_extent;
  int first_operand;
  int first_scalar;
  // What it may refuse, indices and what calls refuse, is looked at before a result is written: by an earlier step,
  // which is the first that writes one when the indices are there. These are lists of such steps (0: the end).
  bool checked_early = false;
  int first_check = 0, next_check = 0;
  // loop_begin and loop_end: the other one of both (else -1), and the dimension that counts
  int partner = -1, iteration = 0;
  bool is_counted = false;  // operand 0 says how many iterations there are
};
// A stored value. In a plan of fixed sizes `offset` is where it lies in the workspace; else those that share a place
// have the same size, and offsets follow from the sizes when the plan runs.
struct buffer_t {
  index_t elements;
  int element_size;
  index_t offset;  // bytes, where the plan knows all extents
  int place;       // the first buffer that lay there
  int value;
  int first_step, last_step;
};

// What a plan was made for: a is b, or at least b.
struct guard_t {
  bool at_least;
  index_t a, b;
};

// Where an argument lies: in a part of a tensor, say, or in the expression itself, where no result can be.
enum class argument_memory : std::uint8_t { part_of_a_tensor, whole_tensor, expression };

constexpr void require_room(bool fits) {
  if (!fits) limits::a_traced_function_needs_more_kernels_than_fit_with_RICCI_MAX_OPERATIONS_unroll_its_loops_less();
}

// How many of each a plan has, or has room for.
struct plan_sizes {
  int kernels, registers, sinks, steps, operands, strides, extents, scalars, buffers, dims, guards, checks, shapes,
      outputs, arguments;
};
inline constexpr plan_sizes largest_plan = [] {
  constexpr int n = ir::capacity, most = limits::most_arguments, checks = limits::most_checks;
  plan_sizes s{};
  s.kernels = n / 16, s.registers = n, s.sinks = n / 8, s.steps = n / 4, s.operands = n, s.strides = 2 * n;
  s.extents = n / 2, s.scalars = n / 2, s.buffers = n / 4, s.dims = n / 8, s.guards = n / 8 + checks, s.checks = checks;
  s.shapes = 5 * most, s.outputs = most, s.arguments = most;
  return s;
}();

template <plan_sizes Room>
struct plan_of {
  int kernel_count, register_count, sink_count, step_count, operand_count, stride_count, extent_count, scalar_count;
  int buffer_count, dim_count, used_dim_count, guard_count, check_count, shape_count, output_count, argument_count;
  int loop_count;
  int last_check;        // the last step before which something is checked: earlier results precede some checks
  int exact_dims;        // so many dimensions, the first ones, are those of the checks
  bool takes_for_equal;  // made for extents that are equal where each might be 1: else rows (cpu/broadcast_rows.hpp)
                         // or another plan
  bool is_guarded;       // where all guards hold, all checks do
  bool is_static;        // no extent, stride or size is symbolic
  bool is_placed;        // the sizes of all buffers are known, so that they have their places
  bool elementwise;      // nothing but elementwise operations on arguments that may be broadcast
  index_t workspace;     // bytes, where they have
  kernel_t kernels[Room.kernels];
  register_t registers[Room.registers];
  sink_t sinks[Room.sinks];
  step_t steps[Room.steps];
  operand_t operands[Room.operands];
  index_t strides[Room.strides];
  index_t extents[Room.extents];
  scalar_t scalars[Room.scalars];
  buffer_t buffers[Room.buffers];
  ir::dim_expr dims[Room.dims];
  int used_dims[Room.dims];  // those that steps, results and guards are made of, in order
  guard_t guards[Room.guards];
  ir::check checks[Room.checks];
  shape_t shapes[Room.shapes];          // of outputs, and of those that checks are about
  int output_shapes[Room.outputs];      // in `shapes`
  int exact_shapes[Room.outputs];       // the same as they were recorded
  int argument_shapes[Room.arguments];  // as they came, without what was found to be equal
  dtype argument_type[Room.arguments];  // none: nobody reads it
  argument_memory argument_in[Room.arguments];
};
using plan_t = plan_of<largest_plan>;

}  // namespace ricci::plan
