// Rows by index, as their kernels on the device see them.
#pragma once

#include <ricci/core/types.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// Own: each of the outer loop's iterations has indices of its own.
template <bool Own>
struct row_steps_t {
  index_t outer, rows, inner, choices;
  std::int64_t const* indices;
  RICCI_HD index_t index(index_t o, index_t r) const {
    std::int64_t const i = indices[Own ? o * rows + r : r];
    return i < 0 ? i + choices : i;
  }
  template <class Notes>
  RICCI_HD void note_outside(Notes const& notes, index_t o, index_t r) const {
    index_t const place = Own ? o * rows + r : r;
    notes(place, indices[place], choices);
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
