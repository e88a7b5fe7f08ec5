// What the steps of a plan are bound to when it runs, and the geometry that a step becomes by that.
#pragma once

#include <ricci/exec/geometry.hpp>
#include <ricci/exec/program.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// How many elements of a row groups of steps compute at a time; the last block has fewer.
inline constexpr index_t block_of_rows = 256;

// Who reads the results of a plan block by block, while they are in cache. It is asked only where one group of steps
// writes all of them as rows (cpu/row_blocks.hpp); then they are written nowhere else.
struct result_reader {
  // results[k]: elements [first, last) of result k; several threads may call at once, for different elements
  void (*read)(result_reader const&, char* const* results, index_t first, index_t last);
  bool has_read = false;
};

// Everything that a plan needs from outside.
struct bindings {
  operand_ref const* arguments;
  operand_ref const* outputs;
  char* workspace;
  index_t const* dims;     // values of the symbolic dimensions
  index_t const* offsets;  // of the buffers in the workspace
  int threads;
  char* memory = nullptr;  // for steps that asked for it, one after another
  result_reader* reader = nullptr;
};

RICCI_INLINE char* pointer_to(plan::operand_t const& o, bindings const& b) {
  char* const base = o.where == plan::home::argument ? b.arguments[o.index].p
                     : o.where == plan::home::output ? b.outputs[o.index].p
                                                     : b.workspace + b.offsets[o.index];
  return base + resolve(o.offset, b.dims) * size_of(o.type);
}
RICCI_INLINE scalar_value scalar_from(plan::scalar_t const& s, index_t const* dims) {
  scalar_value r;
  if (s.is_dim && is_inexact(s.type))
    r.number = static_cast<double>(resolve(s.bits, dims));
  else if (s.is_dim)
    r.integer = resolve(s.bits, dims);
  else
    r.integer = s.bits;
  return r;
}

RICCI_NOINLINE inline void prepare(geometry& g, plan::step_t const& s, plan_view const& v, bindings const& b, int slots,
                                   int scalars) {
  g.loops = s.loops;
  g.kept = s.kept;
  g.slots = slots;
  g.threads = b.threads;
  g.memory = b.memory;
  for (int l = 0; l < s.loops; ++l) g.extent[l] = resolve(v.extents[s.first_extent + l], b.dims);
  for (int k = 0; k < slots; ++k) {
    plan::operand_t const& o = v.operands[s.first_operand + k];
    g.p[k] = pointer_to(o, b);
    index_t const size = size_of(o.type);
    for (int l = 0; l < s.loops; ++l) g.stride[l][k] = resolve(v.strides[o.first_stride + l], b.dims) * size;
  }
  g.table = v.scalars + s.first_scalar;
  for (int k = 0; k < scalars; ++k) g.scalars[k] = scalar_from(v.scalars[s.first_scalar + k], b.dims);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
