// Indices of rows, checked. Errors: index_error for one that is not on its axis.
#pragma once

#include <ricci/core/raise_index.hpp>
#include <ricci/core/types.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The row that an index names; negative ones count from the end.
RICCI_INLINE index_t row_index(std::int64_t i, index_t choices, char const* name) {
  index_t const k = i < 0 ? i + choices : i;
  if (k < 0 || k >= choices) core::raise_index(name, i, choices);
  return k;
}
// Whether all n are, without branches.
RICCI_VECTORISED inline bool are_rows(std::int64_t const* indices, index_t n, index_t choices) {
  auto const all = static_cast<std::uint64_t>(choices);
  std::uint64_t outside = 0;
  for (index_t k = 0; k < n; ++k) outside |= static_cast<std::uint64_t>(indices[k]) + all >= 2 * all;
  return outside == 0;
}
inline void check_rows(std::int64_t const* indices, index_t n, index_t choices, char const* name) {
  if (are_rows(indices, n, choices)) return;
  for (index_t k = 0; k < n; ++k) row_index(indices[k], choices, name);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
