// Rows of known length as calls of their kernels, where the steps of a loop are too many to be written out. A row that
// ends in a part of a batch is one call where parts are loaded by halves (memory.hpp): what the next step reads comes
// then from where this one wrote it. Functions are computed of two batches at a time: of a step's few batches each
// would be a chain that the next one waits behind, since no processor looks that far ahead. Elsewhere the last batch is
// computed by another call, together with elements that are there already: after the others where the plan says that
// nothing is written that is read, else before them, and stored last.
#pragma once

#include <ricci/exec/byte_range.hpp>
#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The bytes that an operand takes along a row of n elements, `offset` elements behind `begin`.
template <class P>
constexpr byte_range<index_t> planned_range(plan::operand_t const& o, index_t begin, index_t offset, int loops,
                                            index_t n) {
  int const size = size_of(o.type);
  return range_of_row(begin + offset * size, n, loops > 0 ? P::plan.strides[o.first_stride] * size : 0, size);
}
// The same in a workspace of known sizes; where it depends on an iteration, all of its buffer.
template <class P>
constexpr byte_range<index_t> planned_range(plan::operand_t const& o, int loops, index_t n) {
  auto const& buffer = P::plan.buffers[o.index];
  if (ir::is_symbolic(o.offset)) return {buffer.offset, buffer.offset + buffer.elements * buffer.element_size};
  return planned_range<P>(o, buffer.offset, o.offset, loops, n);
}
// A symbolic offset as a dimension and the number that is added to it.
template <class P>
constexpr index_t without_number(index_t d, index_t& number) {
  for (number = 0; ir::is_symbolic(d);) {
    auto const& e = P::plan.dims[ir::dim_index(d)];
    if (e.op != ir::dim_op::plus || ir::is_symbolic(e.a) == ir::is_symbolic(e.b)) break;
    number += ir::is_symbolic(e.a) ? e.b : e.a;
    d = ir::is_symbolic(e.a) ? e.a : e.b;
  }
  return d;
}
// Whether two operands are known to be apart. Results may lie where arguments do.
template <class P>
constexpr bool are_apart(plan::operand_t const& a, plan::operand_t const& b, int loops, index_t n) {
  using enum plan::home;
  if (a.where == workspace && b.where == workspace) {
    if (a.index == b.index && ir::is_symbolic(a.offset) && ir::is_symbolic(b.offset)) {
      // rows of the same stack
      index_t from_a = 0, from_b = 0;
      if (without_number<P>(a.offset, from_a) == without_number<P>(b.offset, from_b))
        return !planned_range<P>(a, 0, from_a, loops, n).meets(planned_range<P>(b, 0, from_b, loops, n));
    }
    return !planned_range<P>(a, loops, n).meets(planned_range<P>(b, loops, n));
  }
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

// Whether all that is stored lies side by side, and nothing is reduced.
template <class... S>
constexpr bool stores_side_by_side(kernel::sinks<S...>) {
  return ((S::moves == access::contiguous && !S::reduces) && ...);
}
// A row of n elements, of which the last batch is not whole, where an element may be written over what it is computed
// of: the last batch is computed first, and stored last.
template <class Code, class... S>
RICCI_INLINE void call_row_in_place(kernel::sinks<S...>, char* const* p, scalar_value const* scalars,
                                    index_t const* steps, index_t n) {
  constexpr index_t width = decltype(lanes_of<Code>())::width;
  alignas(64) char lanes[sizeof...(S)][register_bytes];
  char* last[Code::slots];
  for (int k = 0; k < Code::slots; ++k) last[k] = p[k] + (n - width) * steps[k];
  int sink = 0;
  ((last[S::slot] = lanes[sink++]), ...);
  row<Code>::function(last, scalars, width, nullptr, 1, nullptr);
  row<Code>::function(p, scalars, n - n % width, nullptr, 1, nullptr);
  sink = 0;
  (__builtin_memcpy(p[S::slot] + (n - width) * size_of(S::type), lanes[sink++],
                    static_cast<std::size_t>(width * size_of(S::type))),
   ...);
}

// N elements; steps: how far the operands move from one to the next, in bytes
template <class P, int I, class Code, index_t N>
RICCI_INLINE void call_row(char* const* p, scalar_value const* scalars, [[maybe_unused]] index_t const* steps) {
  constexpr index_t width = decltype(lanes_of<Code>())::width;
  constexpr bool even = (N + width - 1) / width % 2 == 0;
  if constexpr (row<Code>::takes_parts && even && !Code::of_operators) {
    row<Code>::run_in_pairs(p, scalars, N);
  } else if constexpr (N % width != 0 && row<Code>::takes_parts) {
    row<Code>::run_in_parts(p, scalars, N);
  } else if constexpr (N > width && N % width != 0 && writes_apart<P, I>(typename sinks_of<Code>::type{}, N)) {
    row<Code>::function(p, scalars, N - N % width, nullptr, 1, nullptr);
    char* last[Code::slots];
    for (int k = 0; k < Code::slots; ++k) last[k] = p[k] + (N - width) * steps[k];
    row<Code>::function(last, scalars, width, nullptr, 1, nullptr);
  } else if constexpr (N > width && N % width != 0 && stores_side_by_side(typename sinks_of<Code>::type{})) {
    call_row_in_place<Code>(typename sinks_of<Code>::type{}, p, scalars, steps, N);
  } else {
    row<Code>::function(p, scalars, N, nullptr, 1, nullptr);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
