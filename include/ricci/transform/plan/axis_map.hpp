// Coordinates of a value as functions of those of the domain of a kernel: how views are read through.
#pragma once

#include <ricci/shape/shape.hpp>

namespace ricci::plan {

// Which element of a value belongs to an element of the domain: coordinate k of the value is start[k] + step[k] times
// coordinate from[k] of the domain (from[k] < 0: start[k] alone).
struct axis_map {
  int rank;
  int from[max_rank];
  index_t start[max_rank], step[max_rank];

  constexpr bool operator==(axis_map const& other) const {
    if (rank != other.rank) return false;
    for (int k = 0; k < rank; ++k)
      if (from[k] != other.from[k] || start[k] != other.start[k] || step[k] != other.step[k]) return false;
    return true;
  }
};

constexpr axis_map identity_map(int rank) {
  axis_map m{rank, {}, {}, {}};
  for (int k = 0; k < rank; ++k) m.from[k] = k, m.step[k] = 1;
  return m;
}

}  // namespace ricci::plan
