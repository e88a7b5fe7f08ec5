// The memory that an operand takes, from its first byte to behind its last one, to see whether two operands overlap: as
// addresses when something runs, as offsets into a workspace when it is compiled (cpu/row_calls.hpp).
#pragma once

#include <ricci/core/types.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class At>
struct byte_range {
  At begin, end;
  constexpr bool meets(byte_range other) const { return begin < other.end && other.begin < end; }
};
// That of n elements of `size` bytes, each `step` bytes behind the one before it, which may be less than none
template <class At>
constexpr byte_range<At> range_of_row(At first, index_t n, index_t step, int size) {
  index_t const last = step * (n - 1);
  return {first + (last < 0 ? last : 0), first + (last > 0 ? last : 0) + size};
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
