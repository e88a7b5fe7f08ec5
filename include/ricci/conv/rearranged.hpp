// Images of another size whose pixels are those that are there: `rc::upsample<2, 2>(x)`, every pixel several times, and
// `rc::pixel_shuffle<2>(x)`, pixels made of channels (W. Shi et al., Real-time single image and video super-resolution,
// 2016). Formulas of views and one copy.
#pragma once

#include <ricci/conv/extents.hpp>
#include <ricci/ops/reshaping.hpp>

namespace ricci {
namespace convolutions {

template <index_t... N>
struct upsampled : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "upsample";
  static constexpr bool takes_complex = true;
  static constexpr int axes = int(sizeof...(N));
  static constexpr index_t times(int axis) {
    constexpr index_t of[] = {N...};
    return of[axis];
  }
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t x) {
    if (x.rank < axes + 1 || x.rank + axes > max_rank) return c.fail(), x;
    for (int k = 0; k < axes; ++k) {
      index_t& n = x.extent[x.rank - 1 - axes + k];
      n = c.times(n, times(k));
    }
    return x;
  }
  template <class V>
  static constexpr V record(no_attributes, V x) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<upsampled>(), x.shape_id()};
    shape_t const from = x.shape(), result = shape_of(c, no_attributes{}, from);
    shape_t each{}, many{};  // an axis more behind each that grows
    for (int k = 0; k < from.rank; ++k) {
      int const axis = k - (from.rank - 1 - axes);
      each.push(from.extent[k]), many.push(from.extent[k]);
      if (axis >= 0 && axis < axes) each.push(1), many.push(times(axis));
    }
    V const wide = ir::broadcast_to(ir::reshape(x, ir::intern(g, each)), ir::intern(g, many));
    return ir::reshape(wide, ir::intern(g, result));
  }
};

template <index_t N>
struct shuffled : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "pixel_shuffle";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t x) {
    if (x.rank < 3 || x.rank + 2 > max_rank) return c.fail(), x;
    for (int k = 2; k <= 3; ++k) x.extent[x.rank - k] = c.times(x.extent[x.rank - k], N);
    x.extent[x.rank - 1] = c.divide_exactly(x.extent[x.rank - 1], N * N);
    return x;
  }
  template <class V>
  static constexpr V record(no_attributes, V x) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<shuffled>(), x.shape_id()};
    shape_t const from = x.shape(), result = shape_of(c, no_attributes{}, from);
    shape_t apart = from;  // (..., h, w, c, N, N)
    apart.extent[from.rank - 1] = result.extent[from.rank - 1];
    apart.push(N), apart.push(N);
    int const h = from.rank - 3;
    index_t order[max_rank]{};
    for (int k = 0; k < h; ++k) order[k] = k;
    index_t const last[] = {0, 3, 1, 4, 2};  // h N w N c
    for (int k = 0; k < 5; ++k) order[h + k] = h + last[k];
    return ir::reshape(ir::permute(ir::reshape(x, ir::intern(g, apart)), order, apart.rank), ir::intern(g, result));
  }
};

}  // namespace convolutions

// Every pixel N... times along the axes before that of channels, one to three of them: (..., h, w, c) -> (..., h N0,
// w N1, c). That is resizing by the nearest pixel, to a multiple of the size.
template <index_t... N, class X>
requires operands<X> RICCI_INLINE constexpr auto upsample(X&& x) {
  static_assert(sizeof...(N) >= 1 && sizeof...(N) <= 3 && ((N > 0) && ...),
                "upsample: how often pixels are repeated along one, two or three axes, 1 or more of each");
  return call_operation<convolutions::upsampled<N...>>(no_attributes{}, static_cast<X&&>(x));
}
// N times N pixels of each, which lie in its channels, c N N of them: (..., h, w, c N N) -> (..., h N, w N, c). Channel
// (k N + i) N + j becomes channel k in row i and column j, as in PyTorch. Channels that N N does not divide are a
// compile error, at run time a shape_error.
template <index_t N, class X>
requires operands<X> RICCI_INLINE constexpr auto pixel_shuffle(X&& x) {
  static_assert(N > 0, "pixel_shuffle: by 1 or more");
  return call_operation<convolutions::shuffled<N>>(no_attributes{}, static_cast<X&&>(x));
}

}  // namespace ricci
