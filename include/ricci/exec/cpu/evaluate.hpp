// Evaluation as far as no type is needed for it: from operands in memory and the tables of a plan to a result in its
// place. It is compiled once, however many statements a program has.
#pragma once

#include <ricci/exec/cpu/broadcast_rows.hpp>
#include <ricci/exec/destination.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

struct cpu_statement : statement_tables {
  row_tables row;  // where all is one row
  void (*run)(index_t const* dims, operand_ref const* arguments, operand_ref const* result, int threads);
};

// Runs the statement into its target; false where its plan is not made for the operands' extents. `operands` has one
// more element than there are arguments: the target as it is.
RICCI_COLD inline bool evaluate_by_tables(cpu_statement const& s, target_tables const& to, operand_ref* operands,
                                          index_t const* slots, index_t* dims, void* target, core::execution how) {
  bool const fits = resolve_dims(s.dims, operands, slots, dims);
  if (!fits && !s.row.function) return false;
  index_t extents[max_rank];
  shape_t const& shape = s.dims.shapes[fits ? s.output_shape : s.exact_shape];
  for (int k = 0; k < to.rank; ++k) extents[k] = resolve(shape.extent[k], dims);
  index_t const all_bytes = core::bytes_of(extents, to.rank, to.size);

  operand_ref const final = to.ref(target);
  bool const whole = to.kind != target_kind::part;
  bool same = to.kind != target_kind::fresh || !to.shared;  // a new tensor has no extents yet
  for (int k = 0; k < to.rank; ++k) same = same && final.extents[k] == extents[k];
  if (!same && !whole)
    core::raise<shape_error>(
        ((core::text() << "assignment: ").shape(final.extents, to.rank) << ' ').shape(extents, to.rank));
  bool const in_place =
      same && (to.kind == target_kind::fresh ||
               (!s.written_unchecked && may_write(s, operands, final, to.rank, to.size, whole, fits)));
  byte_range const span = whole ? byte_range{final.p, final.p + all_bytes} : range_of(final, to.rank, to.size);
  core::shared_buffer memory;  // where the result is computed apart
  char* apart = nullptr;
  if (!in_place) {
    index_t const bytes = span.last - span.first;
    if constexpr (core::has_heap)
      memory = core::shared_buffer(bytes), apart = memory.data();
    else
      apart = static_cast<char*>(__builtin_alloca_with_align(static_cast<std::size_t>(bytes), 512));
  }
  operand_ref out = final;
  if (!in_place) out.p = apart + (final.p - span.first);
  if (!same) out.extents = extents;

  if (fits)
    s.run(dims, operands, &out, how.threads);
  else
    s.row.run(s.row, s.dims, s.arguments, operands, dims, out.p, extents, to.rank, how.threads);

  if (in_place) return true;
  if (whole && to.shared)
    to.adopt(target, static_cast<core::shared_buffer&&>(memory), extents, how);
  else if (whole)
    __builtin_memcpy(final.p, apart, static_cast<std::size_t>(all_bytes));
  else
    copy_back(final, apart, span.first, to.rank, to.size);
  return true;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
