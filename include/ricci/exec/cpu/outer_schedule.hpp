// Which steps of a plan may run together, block by block of their outermost loop (outer_blocks.hpp), found when it is
// compiled.
#pragma once

#include <ricci/core/heap.hpp>
#include <ricci/exec/tables.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Loops over fewer elements are in cache as they are.
inline constexpr index_t least_elements_in_outer_blocks = 16 * 1024;

// Whether a step is a call that is given rows of cores, and may refuse nothing but their extents.
template <class P>
constexpr bool is_call_of_rows(int k) {
  auto const& kernel = P::plan.kernels[P::plan.steps[k].kernel];
  return kernel.kind == plan::step_kind::call && kernel.op->call->takes_rows && kernel.op->call->checked < 0;
}
// Whether step k may be in a group: it maps, or reduces other loops than the outermost, or calls what takes rows, and
// has nothing to check for others.
template <class P>
constexpr bool has_outer_rows(int k) {
  auto const& s = P::plan.steps[k];
  auto const& kernel = P::plan.kernels[s.kernel];
  if (s.loops == 0 || s.partner >= 0 || s.first_check != 0) return false;
  return kernel.kind == plan::step_kind::map || (is_call_of_rows<P>(k) && s.kept > 0) ||
         (kernel.kind == plan::step_kind::reduce && s.kept > (kernel.variant != 0));
}
// Whether it is one stretch of elements side by side, which may be several of each iteration.
template <class P>
constexpr bool is_stretch(int k) {
  auto const& s = P::plan.steps[k];
  auto const& kernel = P::plan.kernels[s.kernel];
  if (kernel.kind != plan::step_kind::map || s.loops != 1) return false;
  for (int slot = 0; slot < kernel.slots; ++slot)
    if (index_t const x = P::plan.strides[P::plan.operands[s.first_operand + slot].first_stride]; x != 0 && x != 1)
      return false;
  return true;
}
// Whether a stretch of so many elements may be n times as many as another: a product of extents, if none is a number.
template <class P>
constexpr bool may_be_multiple(index_t elements, index_t n) {
  if (elements == n) return true;
  if (!ir::is_symbolic(elements)) return !ir::is_symbolic(n) && n > 0 && elements % n == 0;
  return P::plan.dims[ir::dim_index(elements)].op == ir::dim_op::times;
}
// How many elements a step runs over; a large number where that shows at run time.
template <class P>
constexpr index_t known_elements(int k) {
  auto const& s = P::plan.steps[k];
  index_t n = 1;
  for (int l = 0; l < s.loops; ++l) {
    index_t const x = P::plan.extents[s.first_extent + l];
    if (ir::is_symbolic(x)) return least_elements_in_outer_blocks;
    n *= x;
  }
  return n;
}
template <class P>
struct outer_groups_of {
  int count;
  table<int, P::plan.step_count> ends;       // of the group that each step begins; the step itself where it begins none
  table<index_t, P::plan.step_count> n;      // the iterations of its outermost loop
  table<bool, P::plan.operand_count> local;  // whether a buffer is of one group alone
};
// Two steps at least of two loops or more, or a call beside another step, so many elements of which may be too many
// for caches.
template <class P>
inline constexpr auto outer_groups = [] {
  auto const& p = P::plan;
  outer_groups_of<P> found{};
  for (int k = 0; k < p.step_count; ++k) found.ends.at[k] = k;
  if (p.loop_count > 0 || !core::has_heap || RICCI_SMALL_STACK) return found;
  for (int first = 0, next = 0; first < p.step_count; first = next) {
    index_t n = 0, most = 0;
    bool others = false;  // whether it ends before a step whose outermost loop has another extent
    int end = first, nests = 0, last_nest = first, calls = 0;
    for (; end < p.step_count && has_outer_rows<P>(end); ++end) {
      index_t const extent = p.extents[p.steps[end].first_extent];
      if (p.steps[end].loops > 1) {
        if (others = nests > 0 && extent != n; others) break;
        for (int k = end - 1; nests == 0 && k >= first; --k)  // what is in front and no part of its loop is left there
          if (!may_be_multiple<P>(p.extents[p.steps[k].first_extent], extent)) first = k + 1;
        n = extent, last_nest = end, ++nests, calls += is_call_of_rows<P>(end);
      } else if (!is_stretch<P>(end) || (nests > 0 && !may_be_multiple<P>(extent, n))) {
        break;
      }
      index_t const elements = known_elements<P>(end);
      most = elements > most ? elements : most;
    }
    // what begins later with a step of these loops ends there, too, and holds fewer
    next = others ? last_nest + 1 : end > first ? end : first + 1;
    if ((nests < 2 && (calls == 0 || end - first < 2)) || most < least_elements_in_outer_blocks) continue;
    next = end;
    found.ends.at[first] = end, found.n.at[first] = n, ++found.count;
    for (int s = first; s < end; ++s)
      for (int k = p.steps[s].first_operand; k < p.steps[s].first_operand + p.kernels[p.steps[s].kernel].slots; ++k)
        if (p.operands[k].where == plan::home::workspace) {
          auto const& buffer = p.buffers[p.operands[k].index];
          found.local.at[k] = buffer.first_step >= first && buffer.last_step < end;
        }
  }
  return found;
}();

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
