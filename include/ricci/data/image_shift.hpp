// Images moved by whole pixels: `data::shifted(images, down, right)`, with zeros where nothing was. It is linear, and
// its adjoint is the move back.
#pragma once

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/core_call.hpp>

namespace ricci::data {

struct image_shift_t : core_call<image_shift_t> {
  static constexpr auto name = "data::shifted";
  static constexpr core_signature core{"(h,w,c),(),()->(h,w,c)"};
  template <class T>
  using types = type_list<T, std::int64_t, std::int64_t, T>;

  RICCI_FN run(auto const& c, auto const& x, auto const& down, auto const& right, auto const& y) {
    using T = std::remove_cvref_t<decltype(y(0, 0, 0))>;
    index_t const h = c.extents[0], w = c.extents[1], channels = c.extents[2], dy = down(), dx = right();
    for (index_t i = 0; i < h; ++i)
      for (index_t j = 0; j < w; ++j) {
        // compared so that no number is too large to be subtracted
        bool const there = (dy >= 0 ? i >= dy : h - i > 0 - (dy < -h ? -h : dy)) &&
                           (dx >= 0 ? j >= dx : w - j > 0 - (dx < -w ? -w : dx));
        for (index_t k = 0; k < channels; ++k) y(i, j, k) = there ? T(x(i - dy, j - dx, k)) : T(0);
      }
  }
  static constexpr index_t operations(index_t const*) { return 0; }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? record(no_attributes{}, t[0], at.operand(1), at.operand(2)) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = record(no_attributes{}, ct, V(-at.operand(1)), V(-at.operand(2)));
  }
};
// Images (..., height, width, channels) by pixels down and right, integers of the axes before these three, which are
// broadcast; negative ones are up and left.
inline constexpr image_shift_t shifted{};

}  // namespace ricci::data
