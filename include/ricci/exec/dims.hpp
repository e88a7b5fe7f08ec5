// The symbolic dimensions of a plan become numbers when its arguments are there; then what was presumed of them is
// checked.
#pragma once

#include <ricci/core/errors.hpp>
#include <ricci/shape/operand_ref.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

RICCI_INLINE constexpr index_t resolve(index_t d, index_t const* dims) {
  return ir::is_symbolic(d) ? dims[ir::dim_index(d)] : d;
}

RICCI_INLINE index_t evaluate(ir::dim_expr const& e, operand_ref const* operands, index_t const* slots,
                              index_t const* dims) {
  auto const a = [&] { return resolve(e.a, dims); };
  auto const b = [&] { return resolve(e.b, dims); };
  switch (e.op) {
    case ir::dim_op::argument:
      return operands[e.a].extents[e.b];
    case ir::dim_op::stride:
      return operands[e.a].strides[e.b];
    case ir::dim_op::slot:
      return slots[e.a];
    case ir::dim_op::plus:
      return a() + b();
    case ir::dim_op::times:
      return a() * b();
    case ir::dim_op::divide:
      return b() == 0 ? 0 : a() / b();
    case ir::dim_op::broadcast:
      return a() == 1 ? b() : a();
    case ir::dim_op::length:
      return a() > 0 ? a() : 0;
    case ir::dim_op::unless_one:
      return a() == 1 ? 0 : b();
  }
  return 0;
}

// `operation: (2, 3) (4, 3)`
[[noreturn]] RICCI_COLD inline void raise_mismatch(ir::check const& c, shape_t const* shapes, index_t const* dims) {
  core::text t;
  t << (c.op ? c.op->name : "argument") << ":";
  for (int side = 0; side < 2; ++side) {
    auto const& s = shapes[c.shapes[side]];
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
  if (a == b) return;
  if (c.kind == ir::check_kind::reaches) {
    if (a < b)
      core::raise<index_error>(core::text() << "an index names " << b << " elements of an axis with extent " << a);
  } else if (c.kind == ir::check_kind::equal || !(b == 1 || (c.kind == ir::check_kind::broadcastable && a == 1))) {
    raise_mismatch(c, shapes, dims);
  }
}

// The symbolic dimensions of a plan, and what is presumed of them.
struct dim_tables {
  ir::dim_expr const* dims;
  index_t const* equal;  // the dimension that each was taken for
  ir::check const* checks;
  shape_t const* shapes;
  int dim_count, check_count;
  bool assumes;  // some were taken for equal that may be 1 and another number
};
// Their values; false where the plan is not made for them: then extents that were taken for equal are not, and none of
// its checks says anything, for one of them may stand for another.
RICCI_COLD inline bool resolve_dims(dim_tables const& t, operand_ref const* operands, index_t const* slots,
                                    index_t* dims) {
  bool fits = true;
  for (int k = 0; k < t.dim_count; ++k) dims[k] = evaluate(t.dims[k], operands, slots, dims);
  for (int k = 0; k < t.check_count; ++k) {
    ir::check const& c = t.checks[k];
    if (!t.assumes)
      require(c, t.shapes, dims);
    else if (resolve(c.a, dims) != resolve(c.b, dims))
      fits = fits && c.kind == ir::check_kind::reaches && resolve(c.a, dims) > resolve(c.b, dims);
  }
  return fits;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
