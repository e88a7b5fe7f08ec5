// Steps that follow one another and are rows over the same elements, in blocks that stay in cache: all of them for the
// first elements, then for the next ones. A long function is many such steps, and each of their rows would go through
// memory once for every step that reads it.
#pragma once

#include <ricci/core/owned_array.hpp>
#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// so many elements at a time, of steps that are at least that many; a group has at most so many operands
inline constexpr index_t block_of_rows = 512, shortest_row_in_blocks = 2048;
inline constexpr int least_steps_in_blocks = 3, most_operands_in_blocks = 1024;

// An operand of one of the steps: where it starts, how many bytes it moves by an element, and its size.
struct moving_row {
  char* p;
  index_t step;
  int size;
  bool written;
};

// Whether blocks of rows of n elements may be written before earlier steps have read the next ones: what is written
// lies nowhere where something else does, unless that is the same place element for element.
inline bool may_run_in_blocks(core::owned_array<moving_row>& rows, int count, index_t n) {
  for (int gap = count / 2; gap > 0; gap /= 2)  // Shell's sort, by address
    for (int k = gap; k < count; ++k) {
      moving_row const x = rows[k];
      int at = k;
      for (; at >= gap && x.p < rows[at - gap].p; at -= gap) rows[at] = rows[at - gap];
      rows[at] = x;
    }
  char* end = nullptr;
  moving_row first{};
  bool mixed = false, written = false;
  for (int k = 0; k < count; ++k) {
    moving_row const& x = rows[k];
    char* const own_end = x.p + (n - 1) * x.step + x.size;
    if (end == nullptr || x.p >= end) {
      first = x, end = own_end, mixed = false, written = x.written;
      continue;
    }
    mixed = mixed || x.p != first.p || x.step != first.step || x.size != first.size;
    written = written || x.written;
    if (own_end > end) end = own_end;
    if (mixed && written) return false;
  }
  return true;
}

// Runs steps [from, to), which are rows of n elements; or nothing, where they may not run in blocks.
RICCI_NOINLINE inline bool run_row_blocks(kernel_info const* const* kernels, plan_view const& v, bindings const& b,
                                          int from, int to, index_t n) {
  int operands = 0, scalars = 0;
  for (int k = from; k < to; ++k)
    operands += kernels[v.steps[k].kernel]->slots, scalars += kernels[v.steps[k].kernel]->scalars;
  core::owned_array<moving_row> rows(operands), sorted(operands);
  core::owned_array<scalar_value> numbers(scalars + 1);
  int at = 0, number = 0;
  for (int k = from; k < to; ++k) {
    plan::step_t const& s = v.steps[k];
    kernel_info const& kernel = *kernels[s.kernel];
    for (int slot = 0; slot < kernel.slots; ++slot, ++at) {
      plan::operand_t const& o = v.operands[s.first_operand + slot];
      int const size = size_of(o.type);
      rows[at] = {pointer_to(o, b), resolve(v.strides[o.first_stride], b.dims) * size, size, o.written};
      if (rows[at].step < 0) return false;
    }
    for (int c = 0; c < kernel.scalars; ++c) numbers[number++] = scalar_from(v.scalars[s.first_scalar + c], b.dims);
  }
  for (int k = 0; k < operands; ++k) sorted[k] = rows[k];
  if (!may_run_in_blocks(sorted, operands, n)) return false;
  auto const part = [&](index_t first, index_t last) {
    char* p[max_slots];
    for (index_t begin = first; begin < last; begin += block_of_rows) {
      index_t const count = last - begin < block_of_rows ? last - begin : block_of_rows;
      int operand = 0, scalar = 0;
      for (int k = from; k < to; ++k) {
        kernel_info const& kernel = *kernels[v.steps[k].kernel];
        for (int slot = 0; slot < kernel.slots; ++slot, ++operand)
          p[slot] = rows[operand].p + begin * rows[operand].step;
        kernel.row(p, &numbers[scalar], count, nullptr, 1, nullptr);
        scalar += kernel.scalars;
      }
    }
  };
  if (is_alone(b.threads, n))
    part(0, n);
  else
    parallel_parts(b.threads, n, part, block_of_rows);
  return true;
}

// Whether a step of kernel K may be in such a group: it stores rows whose operands lie side by side.
template <class P, int K>
constexpr bool is_kernel_of_rows() {
  if constexpr (P::plan.kernels[K].kind == plan::step_kind::map)
    return kernel::lowered<P, K>::type::strided == 0;
  else
    return false;
}
// For each step the end of the group that it begins; itself where it begins none.
template <class P>
inline constexpr auto row_groups = []<int... K>(std::integer_sequence<int, K...>) {
  bool const of_rows[] = {is_kernel_of_rows<P, K>()..., false};
  table<int, P::plan.step_count> ends{};
  auto const fits = [&](int k, int first) {
    auto const& s = P::plan.steps[k];
    return of_rows[s.kernel] && s.loops == 1 && s.first_check == 0 && s.partner < 0 &&
           P::plan.extents[s.first_extent] == P::plan.extents[P::plan.steps[first].first_extent];
  };
  for (int k = 0; k < P::plan.step_count;) {
    int end = k, operands = 0;
    while (end < P::plan.step_count && fits(end, k)) {
      operands += P::plan.kernels[P::plan.steps[end].kernel].slots;
      if (operands > most_operands_in_blocks) break;
      ++end;
    }
    ends.at[k] = end - k >= least_steps_in_blocks ? end : k;
    int const next = end > k ? end : k + 1;
    for (int i = k + 1; i < next; ++i) ends.at[i] = i;
    k = next;
  }
  return ends;
}
(std::make_integer_sequence<int, P::plan.kernel_count>{});

// All steps of a plan without loops, one after another or in such groups; `run` is a step alone.
template <class P, class Run>
RICCI_INLINE void run_in_groups(kernel_info const* const* kernels, bindings const& b, Run const& run) {
  constexpr plan_view v = view_of<P>();
  for (int k = 0; k < P::plan.step_count;) {
    int const end = row_groups<P>.at[k];
    if (end > k) {
      index_t const n = resolve(v.extents[v.steps[k].first_extent], b.dims);
      if (n >= shortest_row_in_blocks && run_row_blocks(kernels, v, b, k, end, n)) {
        k = end;
        continue;
      }
    }
    int const next = end > k ? end : k + 1;
    for (; k < next; ++k) run(v.steps[k], b);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
