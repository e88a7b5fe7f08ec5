// How elements lie in memory, as numbers: the extent and the stride of every axis, and where the first element is.
// Operations that are views say by functions on it what they make of the memory of their operand.
#pragma once

#include <ricci/core/types.hpp>

RICCI_OPTIMIZED
namespace ricci {

// How much a type knows of the strides of its elements.
enum class layout : std::uint8_t {
  row_major,  // they follow from the extents
  rows,       // those of the last axis lie side by side
  strided     // nothing
};

namespace shapes {

template <int Rank>
struct strided {
  index_t extent[Rank > 0 ? Rank : 1]{}, stride[Rank > 0 ? Rank : 1]{};  // in elements
  index_t offset = 0;                                                    // of the first element

  RICCI_INLINE constexpr void set(int axis, index_t n, index_t step) { extent[axis] = n, stride[axis] = step; }
  RICCI_INLINE constexpr index_t size() const {
    index_t n = 1;
    for (int k = 0; k < Rank; ++k) n *= extent[k];
    return n;
  }
  // row-major strides for the extents
  RICCI_INLINE constexpr void pack() {
    index_t n = 1;
    for (int k = Rank - 1; k >= 0; --k) {
      stride[k] = n;
      n *= extent[k];
    }
  }
};

}  // namespace shapes
}  // namespace ricci
RICCI_OPTIMIZED_END
