// A shape as a value: rank and extents. All rules of shapes are functions on it, and they serve twice: on the extents
// of a type, where an extent may be `dyn` or named, and in a graph, where it may be a symbolic dimension.
#pragma once

#include <ricci/core/bytes.hpp>
#include <ricci/core/limits.hpp>
#include <ricci/core/types.hpp>

namespace ricci {
inline namespace RICCI_ABI {

inline constexpr int max_rank = 12;

// an extent that is only known at run time
inline constexpr index_t dyn = -1;

struct shape_t {
  int rank;
  index_t extent[max_rank];

  constexpr index_t operator[](int axis) const { return extent[axis]; }
  constexpr void push(index_t e) {
    if (rank == max_rank) limits::a_tensor_has_more_than_12_axes();
    extent[rank++] = e;
  }
  // most shapes have few axes, and compilers compare them while they trace functions: as one expression
  constexpr bool operator==(shape_t const& other) const {
    return rank == other.rank && (rank < 1 || extent[0] == other.extent[0]) &&
           (rank < 2 || extent[1] == other.extent[1]) && (rank < 3 || has_same_rest(other));
  }

 private:
  constexpr bool has_same_rest(shape_t const& other) const {
    for (int i = 2; i < rank; ++i)
      if (extent[i] != other.extent[i]) return false;
    return true;
  }
};

// the product of the extents; only meaningful where all are numbers
constexpr index_t size_of(shape_t const& s) {
  index_t n = 1;
  for (int i = 0; i < s.rank; ++i) n = core::product_of_extents(n, s.extent[i]);
  return n;
}

// A set of axes as bits; negative axes count from the last. -1 where an axis does not exist or occurs twice.
constexpr int axis_mask(index_t const* axes, int n, int rank) {
  int mask = 0;
  for (int i = 0; i < n; ++i) {
    index_t a = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (a < 0 || a >= rank || (mask >> a & 1)) return -1;
    mask |= 1 << a;
  }
  return mask;
}

}  // namespace RICCI_ABI
}  // namespace ricci
