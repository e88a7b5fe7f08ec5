// Rows of known length as calls of their kernels, where the steps of a loop are too many to be written out. Of a row
// that ends in a part of a batch the last batch is computed by another call, together with elements that are there
// already, where the plan says that nothing is written that is read.
#pragma once

#include <ricci/exec/cpu/row_range.hpp>
#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The bytes of a workspace of known sizes that an operand takes along a row of n elements; where they depend on an
// iteration, all of its buffer.
template <class P>
constexpr row_range<index_t> range_of(plan::operand_t const& o, int loops, index_t n) {
  auto const& buffer = P::plan.buffers[o.index];
  int const size = size_of(o.type);
  if (ir::is_symbolic(o.offset)) return {buffer.offset, buffer.offset + buffer.elements * buffer.element_size};
  return range_of_row(buffer.offset + o.offset * size, n, loops > 0 ? P::plan.strides[o.first_stride] * size : 0, size);
}
// Whether two operands are known to be apart. Results may lie where arguments do.
template <class P>
constexpr bool are_apart(plan::operand_t const& a, plan::operand_t const& b, int loops, index_t n) {
  using enum plan::home;
  if (a.where == workspace && b.where == workspace) return !range_of<P>(a, loops, n).meets(range_of<P>(b, loops, n));
  return a.where == workspace || b.where == workspace;
}
// Whether that holds of all that step I writes and everything else that it names.
template <class P, int I, class... S>
constexpr bool writes_apart(kernel::sinks<S...>, index_t n) {
  constexpr plan::step_t s = P::plan.steps[I];
  if (!P::plan.is_placed || (S::reduces || ...)) return false;
  auto const* const operands = P::plan.operands + s.first_operand;
  for (int const to : {S::slot...})
    for (int k = 0; k < P::plan.kernels[s.kernel].slots; ++k)
      if (k != to && !are_apart<P>(operands[k], operands[to], s.loops, n)) return false;
  return true;
}
template <class Code>
struct sinks_of;
template <int Slots, int Scalars, class B, class R, class S>
struct sinks_of<kernel::code<Slots, Scalars, B, R, S>> {
  using type = S;
};

// N elements; steps: how far the operands move from one to the next, in bytes
template <class P, int I, class Code, index_t N>
RICCI_INLINE void call_row(char* const* p, scalar_value const* scalars, [[maybe_unused]] index_t const* steps) {
  constexpr index_t width = decltype(lanes_of<Code>())::width;
  if constexpr (N > width && N % width != 0 && writes_apart<P, I>(typename sinks_of<Code>::type{}, N)) {
    row<Code>::function(p, scalars, N - N % width, nullptr, 1, nullptr);
    char* last[Code::slots];
    for (int k = 0; k < Code::slots; ++k) last[k] = p[k] + (N - width) * steps[k];
    row<Code>::function(last, scalars, width, nullptr, 1, nullptr);
  } else {
    row<Code>::function(p, scalars, N, nullptr, 1, nullptr);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
