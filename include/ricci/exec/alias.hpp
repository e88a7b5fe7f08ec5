// Whether memory that is about to be written overlaps an operand in a way that matters (transform/plan/alias.hpp).
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/exec/byte_range.hpp>
#include <ricci/shape/operand_ref.hpp>
#include <ricci/shape/shape.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Of no elements it is empty.
RICCI_INLINE byte_range<char const*> range_here(operand_ref const& x, int rank, int size) {
  if (rank == 0) return {x.p, x.p + size};
  if (!x.strides) {
    index_t n = size;
    for (int k = 0; k < rank; ++k) n *= x.extents[k];
    return {x.p, x.p + n};
  }
  index_t low = 0, high = 0;
  for (int k = 0; k < rank; ++k) {
    if (x.extents[k] == 0) return {x.p, x.p};
    index_t const reach = (x.extents[k] - 1) * x.strides[k] * size;
    (reach < 0 ? low : high) += reach;
  }
  return {x.p + low, x.p + high + size};
}
// the same, not inlined
RICCI_NOINLINE inline byte_range<char const*> range_of(operand_ref const& x, int rank, int size) {
  return range_here(x, rank, size);
}

// Two strided tensors that interleave without meeting: both step by the same amount, and start in different places of
// it.
RICCI_COLD inline bool are_interleaved(operand_ref const& a, int rank_a, operand_ref const& b, int rank_b, int size) {
  index_t common = 0;
  auto const divide = [&](index_t n) {
    n = n < 0 ? -n : n;
    while (n != 0) {
      index_t const rest = common % n;
      common = n;
      n = rest;
    }
  };
  auto const note = [&](operand_ref const& x, int rank) {
    index_t run = 1;
    for (int k = rank - 1; k >= 0; --k) {
      if (x.extents[k] > 1) divide(x.strides ? x.strides[k] : run);
      run *= x.extents[k];
    }
  };
  note(a, rank_a);
  note(b, rank_b);
  return common > 1 && (a.p - b.p) % (common * size) != 0;
}
RICCI_NOINLINE inline bool overlap(operand_ref const& a, int rank_a, int size_a, operand_ref const& b, int rank_b,
                                   int size_b) {
  if (!range_of(a, rank_a, size_a).meets(range_of(b, rank_b, size_b))) [[likely]]
    return false;
  return size_a != size_b || !are_interleaved(a, rank_a, b, rank_b, size_a);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
