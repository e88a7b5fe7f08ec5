// Where a single element lies: `a(i, j)`, `a.at(i, j)`. Negative indices count from the end of their axis. That costs
// a comparison that compilers drop for loop counters and unsigned indices.
#pragma once

#include <ricci/core/raise_index.hpp>

RICCI_OPTIMIZED
namespace ricci::expr {

// The distance from the first element, in elements. Checked: index_error where an index lies outside its axis.
template <bool Checked, class... I>
RICCI_INLINE constexpr index_t element_offset([[maybe_unused]] auto const& extents,
                                              [[maybe_unused]] auto const& strides, I... indices) {
  index_t at = 0;
  [[maybe_unused]] int axis = 0;
  [[maybe_unused]] auto const step = [&]<class Index>(Index i) RICCI_INLINE_LAMBDA {
    static_assert(!std::is_same_v<Index, bool>,
                  "a bool is no index: an element is named by integers, as x(1); a mask is a tensor of bool");
    index_t k = static_cast<index_t>(i);
    if constexpr (std::is_signed_v<Index>)
      if (k < 0) k += extents[axis];
    if constexpr (Checked)
      if (k < 0 || k >= extents[axis]) [[unlikely]]
        core::raise_index_of_axis(to_index(i), axis, extents[axis]);
    at += k * strides[axis++];
  };
  (step(indices), ...);
  return at;
}
template <bool Checked, class X, class... I>
RICCI_INLINE constexpr index_t element_offset_in(X const& x, I... indices) {
  return element_offset<Checked>(x.extent_values(), x.stride_values().values, indices...);
}

}  // namespace ricci::expr
RICCI_OPTIMIZED_END
