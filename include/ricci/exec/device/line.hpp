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
  template <int Width>
  static constexpr int at_a_time = Width > 1 ? 2 : 4;

  char* at[element::room];
  index_t unit[element::room];  // strides of one element, in bytes
  scalar_value const* scalars;

  // what is stored is, what is reduced is added to `total`: units first, first + by, ... of [.., last)
  template <int Width>
  RICCI_INLINE RICCI_HD void run(values& total, index_t first, index_t last, index_t by) const {
    constexpr int n = at_a_time<Width>;
    line_of l = *this;
    index_t step[element::room];
    for (int slot = 0; slot < element::slots; ++slot) {
      step[slot] = by * Width * unit[slot];
      l.at[slot] += first * (Width * unit[slot]);
    }
    index_t k = first;
    for (; k + (n - 1) * by < last; k += n * by)
      l.template several<Width>(total, step, std::make_integer_sequence<int, n>{});
    for (; k < last; k += by) {
      total.add(l.template one<Width>());
      l.advance(step);
    }
  }

 private:
  template <int Width, int... K>
  RICCI_INLINE RICCI_HD void several(values& total, index_t const* step, std::integer_sequence<int, K...>) {
    values const v[] = {next<Width>(step, K)...};  // from left to right
    values all = v[0];
    ((K > 0 ? all.add(v[K]) : void()), ...);
    total.add(all);
  }
  template <int Width>
  RICCI_INLINE RICCI_HD values next(index_t const* step, int) {
    values const v = one<Width>();
    advance(step);
    return v;
  }
  template <int Width>
  RICCI_INLINE RICCI_HD values one() const {
    if constexpr (Width > 1)
      return element::store_pack_and_value(at, unit, scalars);
    else
      return element::store_and_value(at, scalars);
  }
  RICCI_INLINE RICCI_HD void advance(index_t const* step) {
    for (int slot = 0; slot < element::slots; ++slot) at[slot] += step[slot];
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
