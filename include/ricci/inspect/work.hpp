// What the steps of a plan cost: how many operations on numbers they are, and how many bytes they read and write. Both
// follow from the plan and the extents alone, so they are exact and the same on every machine.
#pragma once

#include <ricci/exec/program.hpp>

namespace ricci::inspect {
inline namespace RICCI_ABI {

using exec::table, exec::plan_view, exec::resolve;

// What there is to know of a kernel: operations for each element of its loops, and reductions of them.
struct kernel_work {
  plan::step_kind kind;
  std::uint8_t variant;
  int slots, applied, reduced;
  call_facts const* call;
};
template <class Plan>
constexpr kernel_work work_of_kernel(Plan const& p, int kernel) {
  auto const& k = p.kernels[kernel];
  kernel_work w{k.kind, k.variant, k.slots, 0, 0, k.op->call};
  for (int i = 0; i < k.registers; ++i)
    w.applied += p.registers[k.first_register + i].kind == plan::register_kind::apply;
  for (int i = 0; i < k.sinks; ++i) w.reduced += p.sinks[k.first_sink + i].reduction->id != 0;
  return w;
}
template <class P>
inline constexpr auto works_of = [] {
  table<kernel_work, P::plan.kernel_count> t{};
  for (int k = 0; k < P::plan.kernel_count; ++k) t.at[k] = work_of_kernel(P::plan, k);
  return t;
}();

struct work {
  index_t operations, read, written;
};

// Of a call: what its operation says of one core, for all of them; each array of a core is read or written once.
inline work work_of_call(plan::step_t const& s, call_facts const& call, plan_view const& v, index_t const* dims) {
  work w{};
  index_t extents[max_rank + 1]{}, cores = 1;
  for (int l = 0; l < s.loops; ++l) extents[l] = resolve(v.extents[s.first_extent + l], dims);
  for (int l = 0; l < s.kept; ++l) cores *= extents[l];
  for (int k = 0; k < call.core.arrays(); ++k) {
    plan::operand_t const& o = v.operands[s.first_operand + k];
    index_t of_core = 1, elements = 1;
    for (int axis = 0; axis < call.core.rank[k]; ++axis) of_core *= extents[s.kept + call.core.letter[k][axis]];
    for (int l = 0; l < s.kept; ++l)
      if (resolve(v.strides[o.first_stride + l], dims) != 0) elements *= extents[l];
    (o.written ? w.written : w.read) += elements * of_core * size_of(o.type);
    if (!o.written && call.operations == nullptr) w.operations += cores * of_core;
  }
  if (call.operations) w.operations = cores * call.operations(extents + s.kept);
  return w;
}

// An element that is read in several places of a loop (a broadcast operand) counts once for the step. A product of (m,
// k) and (k, n) is 2 m n k operations, a reduction of n elements n of them.
RICCI_COLD inline work work_of_step(plan::step_t const& s, kernel_work const& kernel, plan_view const& v,
                                    index_t const* dims) {
  using enum plan::step_kind;
  auto const extent = [&](int loop) { return resolve(v.extents[s.first_extent + loop], dims); };
  work w{};
  index_t elements = 1, results = 1;  // of a product, which sums along its last loop
  for (int l = 0; l < s.loops; ++l) results = elements, elements *= extent(l);
  switch (kernel.kind) {
    case take:
    case scatter: {
      index_t const outer = extent(0), rows = extent(1), moved = outer * rows * extent(2);
      index_t const size = size_of(v.operands[s.first_operand].type),
                    indices = 8 * rows * (kernel.variant & plan::own_indices ? outer : 1);
      bool const adds = kernel.kind == scatter && (kernel.variant & plan::adds_rows);
      return {adds ? moved : 0, (adds ? 2 : 1) * moved * size + indices, moved * size};
    }
    case map:
    case reduce:
      w.operations = elements * (kernel.applied + kernel.reduced);
      break;
    case contract:
      w.operations = results * kernel.applied + 2 * elements;
      break;
    case call:
      return work_of_call(s, *kernel.call, v, dims);
    case accumulate:
      w.operations = elements;
      break;
    case loop_begin:
    case loop_end:
    case table:
      break;
  }
  for (int k = 0; k < kernel.slots; ++k) {
    plan::operand_t const& o = v.operands[s.first_operand + k];
    index_t bytes = o.written || elements > 0 ? size_of(o.type) : 0;
    for (int l = 0; l < s.loops; ++l)
      if (resolve(v.strides[o.first_stride + l], dims) != 0) bytes *= extent(l);
    (o.written ? w.written : w.read) += bytes;
  }
  return w;
}

}  // namespace RICCI_ABI
}  // namespace ricci::inspect
