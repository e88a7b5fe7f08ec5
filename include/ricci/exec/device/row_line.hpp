// As line.hpp, for kernels by rows (row_program.hpp), where registers count more than loads on their way: what threads
// side by side do with the elements of one row. Each has every so many-th unit, of one element or of a pack of them.
// What does not change along the row is read once; how far operands move is known where their elements lie side by
// side, so that a unit costs few instructions.
#pragma once

#include <ricci/exec/device/element.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

inline constexpr index_t most_rows = index_t(1) << 31, most_bytes_of_row = index_t(1) << 31;

template <class Code>
struct row_line {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  using frame = typename element::L::frame;

  char* at[element::room];
  index_t unit[element::room];  // strides of one element, in bytes

  // What is stored is, what is reduced is added to `total`: units first, first + by, ... of [.., last).
  template <int Width>
  RICCI_HD void run(values& total, scalar_value const* scalars, int first, int last, int by) const {
    frame f[Width];
    if constexpr (Width > 1)
      element::start_packs(f, at, scalars);
    else
      element::start(f[0], at, scalars);
    RICCI_ONE_BY_ONE
    for (int k = first; k < last; k += by) {
      char* now[element::room];
      for (int slot = 0; slot < element::slots; ++slot) {
        // an operand whose elements lie side by side, or another
        int const bytes = static_cast<int>(element::pack_bytes(slot)) / element::width * Width;
        now[slot] = bytes > 0 ? at[slot] + static_cast<unsigned>(k * bytes) : at[slot] + k * (Width * unit[slot]);
      }
      if constexpr (Width > 1) {
        element::compute_packs(f, now, unit);
        element::finish_packs(total, f, now, unit);
      } else {
        element::compute(f[0], now);
        element::finish(total, f[0], now);
      }
    }
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
