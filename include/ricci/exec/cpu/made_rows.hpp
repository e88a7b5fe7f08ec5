// Rows that are made where they are read. A call of which any part of its row can be computed alone, as random words
// can, says so by its host_routine, which MakesRows. Where the next step is the only one that reads its row, and reads
// it from end to end, the row is made in pieces that stay in the cache; the memory that the plan has for all of it is
// not touched. Results are the same: a piece is as long as the blocks of a reduction are.
#pragma once

#include <ricci/exec/cpu/reduce.hpp>
#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The operation of call step I and its type.
template <class P, int I>
struct made_by {
  static constexpr plan::kernel_t kernel = P::plan.kernels[P::plan.steps[I].kernel];
  using routine = host_routine<ir::op_of<kernel.op>, type_of<kernel.type>>;
};
// A host_routine that makes elements [begin, begin + n) of a row from `source` alone, whatever lies before them.
// `begin` is a multiple of block_length. The source is the call's only operand, and is copied before anything is
// written: the next step's results may lie where it was.
template <class Routine>
concept MakesRows = requires(typename Routine::source from, typename Routine::element* to, index_t begin, index_t n) {
  requires std::is_trivially_copyable_v<typename Routine::source>;
  Routine::make_row(from, to, begin, n);
};
template <MakesRows Routine>
RICCI_INLINE typename Routine::source source_at(char const* p) {
  typename Routine::source from;
  __builtin_memcpy(&from, p, sizeof from);
  return from;
}

// How many operands of a plan's steps lie in a buffer.
template <class P>
constexpr int uses_of_buffer(int buffer) {
  int n = 0;
  for (int s = 0; s < P::plan.step_count; ++s)
    for (int k = 0; k < P::plan.kernels[P::plan.steps[s].kernel].slots; ++k) {
      auto const& o = P::plan.operands[P::plan.steps[s].first_operand + k];
      n += o.where == plan::home::workspace && o.index == buffer;
    }
  return n;
}
// The operand of step I + 1, which has one loop, that is the row of step I alone; -1 where there is none.
template <class P, int I>
constexpr int made_operand() {
  constexpr plan::step_t made = P::plan.steps[I];
  constexpr plan::kernel_t kernel = P::plan.kernels[made.kernel];
  if constexpr (RICCI_SMALL_STACK || kernel.kind != plan::step_kind::call || I + 1 >= P::plan.step_count) {
    return -1;
  } else if constexpr (!MakesRows<typename made_by<P, I>::routine>) {
    return -1;
  } else {
    constexpr plan::step_t next = P::plan.steps[I + 1];
    constexpr plan::operand_t row = P::plan.operands[made.first_operand + kernel.slots - 1];
    if (made.kept != 0 || made.first_check != 0 || next.first_check != 0 || next.loops != 1 ||
        row.where != plan::home::workspace || uses_of_buffer<P>(row.index) != 2)
      return -1;
    for (int k = 0; k < P::plan.kernels[next.kernel].slots; ++k) {
      plan::operand_t const& o = P::plan.operands[next.first_operand + k];
      if (o.where == plan::home::workspace && o.index == row.index)
        return o.offset == 0 && P::plan.strides[o.first_stride] == 1 ? k : -1;
    }
    return -1;
  }
}

template <class Routine>
using made_piece = typename Routine::element[block_length];

// A map over n elements: operands at p, which move so many bytes from one to the next.
template <class Routine, int Operand, int Slots>
RICCI_NOINLINE void run_made_row(row_function function, typename Routine::source from, char* const* p,
                                 index_t const* steps, scalar_value const* scalars, index_t n, int threads) {
  auto const part = [&](index_t begin, index_t end) {
    alignas(64) made_piece<Routine> piece;
    for (; begin < end; begin += block_length) {
      index_t const count = end - begin < block_length ? end - begin : block_length;
      Routine::make_row(from, piece, begin, count);
      char* at[Slots];
      for (int k = 0; k < Slots; ++k) at[k] = p[k] + begin * steps[k];
      at[Operand] = reinterpret_cast<char*>(piece);
      function(at, scalars, count, nullptr, 1, nullptr);
    }
  };
  if (is_alone(threads, n))
    part(0, n);
  else
    parallel_parts(threads, n, part, block_length);
}
// A block of a reduction, in place of the kernel's own. Where the row would begin stands what it is made from.
template <class Routine, int Operand, int Slots, block_function Block>
void reduce_made_block(char* const* p, scalar_value const* scalars, index_t begin, index_t end, index_t const* strides,
                       core::any_element* results, index_t rows, index_t const* down) {
  alignas(64) made_piece<Routine> piece;
  Routine::make_row(source_at<Routine>(p[Operand]), piece, begin, end - begin);
  char* at[Slots];
  for (int k = 0; k < Slots; ++k) at[k] = p[k] + begin * strides[k];
  at[Operand] = reinterpret_cast<char*>(piece);
  Block(at, scalars, 0, end - begin, strides, results, rows, down);
}
template <class P, int I>
inline constexpr kernel_info kernel_over_made_row = [] {
  constexpr plan::step_t s = P::plan.steps[I + 1];
  constexpr kernel_info own = decltype(step_of<P, s.kernel>())::kernel;
  kernel_info k = own;
  k.block = &reduce_made_block<typename made_by<P, I>::routine, made_operand<P, I>(), P::plan.kernels[s.kernel].slots,
                               own.block>;
  return k;
}();

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
