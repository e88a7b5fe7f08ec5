// What threads side by side do with the elements of one row: each has every so many-th unit, of one element or of a
// pack of them, and several of its units at a time, so that several loads are on their way.
#pragma once

#include <ricci/exec/device/element.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <class Code>
struct line_of {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  // units whose loads are on their way together: more where there is little else to do with them
  static constexpr int at_a_time(int width, bool alone) {
    return (width > 1 ? 2 : 4) * (element::instructions <= 4 && (width > 1 || alone) ? 2 : 1);
  }

  char* at[element::room];
  index_t unit[element::room];  // strides of one element, in bytes
  scalar_value const* scalars;

  // What is stored is, what is reduced is added to `total`: units `first`, first + by, ... of the `count` from the one
  // on at which the line stands. `Alone`: it is the one loop of a kernel.
  template <int Width, bool Alone = false>
  RICCI_HD void run(values& total, int first, int count, int by) const {
    constexpr int n = at_a_time(Width, Alone);
    line_of l = *this;
    index_t step[element::room];
    for (int slot = 0; slot < element::slots; ++slot) {
      step[slot] = by * (Width * unit[slot]);
      l.at[slot] += first * (Width * unit[slot]);
    }
    int left = count - first;
    for (; left > (n - 1) * by; left -= n * by) total.add(l.template next<Width, n>(step));
    if constexpr (Width > 1 && n > 2)
      if (left > by) {
        total.add(l.template next<Width, 2>(step));
        left -= 2 * by;
      }
    for (; left > 0; left -= by) total.add(l.template next<Width, 1>(step));
  }
  // element k alone
  RICCI_HD void add(values& total, index_t k) const {
    char* now[element::room];
    for (int slot = 0; slot < element::slots; ++slot) now[slot] = at[slot] + k * unit[slot];
    total.add(element::store_and_value(now, scalars));
  }

 private:
  // of so many units
  template <int Width, int Units>
  RICCI_HD values next(index_t const* step) {
    if constexpr (Units == 1) {
      values const v = one<Width>();
      advance(step);
      return v;
    } else {
      values v = next<Width, Units / 2>(step);
      v.add(next<Width, Units / 2>(step));
      return v;
    }
  }
  template <int Width>
  RICCI_HD values one() const {
    if constexpr (Width > 1)
      return element::store_pack_and_value(at, unit, scalars);
    else
      return element::store_and_value(at, scalars);
  }
  RICCI_HD void advance(index_t const* step) {
    for (int slot = 0; slot < element::slots; ++slot) at[slot] += step[slot];
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
