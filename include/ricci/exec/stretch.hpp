// Arguments whose extents of 1 have to be stretched although the plan took them for equal to others: they are copied to the size
// that the plan expects. It is the rare case; the common one pays nothing for it.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/exec/dims.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

struct stretched_argument {
  core::shared_buffer memory;
  index_t extents[max_rank], strides[max_rank];
};

// Values of the symbolic dimensions in which all that were taken for equal are: the one that is not 1.
RICCI_COLD inline void stretch_dims(ir::dim_expr const* exprs, index_t const* equal, int count, index_t* dims) {
  for (int k = 0; k < count; ++k) {
    if (exprs[k].op != ir::dim_op::argument) continue;
    if (!ir::is_symbolic(equal[k])) dims[k] = equal[k];
    else
      for (int other = 0; other < count && dims[k] == 1; ++other)
        if (exprs[other].op == ir::dim_op::argument && equal[other] == equal[k]) dims[k] = dims[other];
  }
}
// What follows from those, and from the strides of arguments that have been stretched.
RICCI_COLD inline void stretch_strides(ir::dim_expr const* exprs, int count, operand_ref const* operands, index_t const* slots, index_t* dims) {
  for (int k = 0; k < count; ++k)
    if (exprs[k].op != ir::dim_op::argument) dims[k] = evaluate(exprs[k], operands, slots, dims);
}

RICCI_COLD inline void stretch(stretched_argument& copy, operand_ref& x, shape_t const& shape, int size, index_t const* dims) {
  index_t elements = 1, strides[max_rank], run = 1;
  bool same = true;
  for (int k = shape.rank - 1; k >= 0; --k) {
    copy.extents[k] = resolve(shape.extent[k], dims);
    copy.strides[k] = elements;
    strides[k] = x.extents[k] == 1 ? 0 : x.strides ? x.strides[k] : run;
    run *= x.extents[k];
    same = same && x.extents[k] == copy.extents[k];
    elements *= copy.extents[k];
  }
  if (same || size == 0) return;
  index_t const n = elements * size;
  copy.memory = core::shared_buffer(n);
  char* to = copy.memory.data();
  index_t at[max_rank] = {};
  char const* from = x.p;
  for (index_t i = 0; i < n; i += size, to += size) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(size));
    for (int k = shape.rank - 1; k >= 0; --k) {
      from += strides[k] * size;
      if (++at[k] < copy.extents[k]) break;
      from -= copy.extents[k] * strides[k] * size;
      at[k] = 0;
    }
  }
  x = {copy.memory.data(), copy.extents, copy.strides};
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
