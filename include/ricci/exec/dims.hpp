// The symbolic dimensions of a plan become numbers when its arguments are there; then what was presumed of them is
// checked.
#pragma once

#include <ricci/core/bytes.hpp>
#include <ricci/shape/operand_ref.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

RICCI_INLINE constexpr index_t resolve(index_t d, index_t const* dims) {
  return ir::is_symbolic(d) ? dims[ir::dim_index(d)] : d;
}

// (What is no dimension, the number of an argument or slot, stands for itself: it is not negative.)
RICCI_INLINE index_t evaluate(ir::dim_expr const& e, operand_ref const* operands, index_t const* slots,
                              index_t const* dims) {
  if (e.op == ir::dim_op::argument) return operands[e.a].extents[e.b];
  index_t const a = resolve(e.a, dims), b = resolve(e.b, dims);
  switch (e.op) {
    case ir::dim_op::argument:
      break;
    case ir::dim_op::stride:
      return operands[a].strides[b];
    case ir::dim_op::slot:
      return slots[a];
    case ir::dim_op::plus:
      return core::sum_of_extents(a, b);
    case ir::dim_op::times:
      return core::product_of_extents(a, b);
    case ir::dim_op::divide:
      return core::quotient_of_extents(a, b);
    case ir::dim_op::remainder:
      return core::remainder_of_extents(a, b);
    case ir::dim_op::broadcast:
      return a == 1 ? b : a;
    case ir::dim_op::length:
      return a > 0 ? a : 0;
    case ir::dim_op::unless_one:
      return a == 1 ? 0 : b;
    case ir::dim_op::iteration:
      return 0;  // to begin with
  }
  __builtin_unreachable();
}

// `operation: (2, 3) (4, 3)`
[[noreturn]] RICCI_COLD inline void raise_mismatch(ir::check const& c, shape_t const* shapes, index_t const* dims) {
  core::text t;
  t << (c.op->id != 0 ? c.op->name : "argument") << ":";
  for (int const side : c.shapes) {
    if (side < 0) continue;
    auto const& s = shapes[side];
    index_t extents[max_rank];
    for (int k = 0; k < s.rank; ++k) extents[k] = resolve(s.extent[k], dims);
    t << ' ';
    t.shape(extents, s.rank);
  }
  core::raise<shape_error>(t);
}

// Raises an error where what a graph requires does not hold.
RICCI_COLD inline void require(ir::check const& c, shape_t const* shapes, index_t const* dims) {
  index_t const a = resolve(c.a, dims), b = resolve(c.b, dims);
  bool holds = a == b;
  switch (c.kind) {
    case ir::check_kind::equal:
      break;
    case ir::check_kind::broadcastable:
      holds = holds || a == 1 || b == 1;
      break;
    case ir::check_kind::broadcasts_to:
      holds = holds || b == 1;
      break;
    case ir::check_kind::positive:
      holds = a >= b;
      break;
    case ir::check_kind::reaches:
      if (a < b) core::raise<index_error>(ir::too_few_elements(c.op, a, b));
      return;
    case ir::check_kind::begins:
      if (a < b)
        core::raise<index_error>(core::text() << "an index or range starts or stops at " << a << ", before its axis");
      return;
    case ir::check_kind::extent:
      if (a < b && b > 0) core::raise_length(a, c.op->name);
      if (a < b) core::raise_extents(&a, 1, c.op->name);
      return;
  }
  if (!holds) raise_mismatch(c, shapes, dims);
}

// The symbolic dimensions of a plan, what it was made for, and what has to hold in any case.
struct dim_tables {
  ir::dim_expr const* dims;
  int const* used;
  plan::guard_t const* guards;
  ir::check const* checks;
  shape_t const* shapes;
  int exact_dims, used_count, guard_count, check_count;
  bool is_guarded;  // where all guards hold, all checks do
};
RICCI_INLINE constexpr bool holds(plan::guard_t const& g, index_t const* dims) {
  index_t const a = resolve(g.a, dims), b = resolve(g.b, dims);
  return g.at_least ? a >= b : a == b;
}
// Of dimensions, those in a list, or the first of all; each is made of earlier ones.
RICCI_NOINLINE inline void evaluate_dims(ir::dim_expr const* all, int const* list, int count,
                                         operand_ref const* operands, index_t const* slots, index_t* dims) {
  for (int k = 0; k < count; ++k) {
    int const d = list ? list[k] : k;
    dims[d] = evaluate(all[d], operands, slots, dims);
  }
}
// All dimensions of the graph as it was recorded; an error where a check does not hold.
RICCI_COLD inline void resolve_exactly(dim_tables const& t, operand_ref const* operands, index_t const* slots,
                                       index_t* dims) {
  evaluate_dims(t.dims, nullptr, t.exact_dims, operands, slots, dims);
  for (int k = 0; k < t.check_count; ++k) require(t.checks[k], t.shapes, dims);
}
// The dimensions that the plan needs. False where it was made for equal extents and some are not: then all dimensions
// are there as they were recorded, and the checks have passed.
RICCI_COLD inline bool resolve_dims(dim_tables const& t, operand_ref const* operands, index_t const* slots,
                                    index_t* dims) {
  evaluate_dims(t.dims, t.used, t.used_count, operands, slots, dims);
  bool fits = true;
  for (int k = 0; k < t.guard_count; ++k) fits = fits && holds(t.guards[k], dims);
  if (fits && t.is_guarded) return true;
  resolve_exactly(t, operands, slots, dims);
  return !t.is_guarded;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
