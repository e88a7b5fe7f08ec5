// Positions of extrema among what is no NaN: `rc::nanargmax(x)`, `rc::nanargmin(x, rc::axis<0>)`.
#pragma once

#include <ricci/ops/arg_reduce.hpp>
#include <ricci/ops/gather.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// As argmax (argmin), but that a NaN counts for nothing: an index_error where there is nothing else.
template <class Of>
struct nan_arg_extremum : arg_fold<nan_arg_extremum<Of>> {
  static constexpr auto name = std::is_same_v<Of, argmax_t> ? "nanargmax" : "nanargmin";

  // nothing yet is a NaN at -1, of integers an element that none is behind
  template <class T>
  RICCI_FN start() {
    if constexpr (is_inexact(dtype_of<T>))
      return extremum_so_far<T>{static_cast<T>(__builtin_nan("")), -1};
    else
      return Of::template start<T>();
  }
  RICCI_FN replaces(auto x, auto best) { return x == x && (!(best == best) || Of::better(x, best)); }
  RICCI_FN next(auto h, index_t i, auto x) { return replaces(x, h.best) ? decltype(h){x, i} : h; }
  RICCI_FN join(auto a, auto b) { return replaces(b.best, a.best) ? b : a; }

  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    using V = ir::value<Mode>;
    auto& g = *x.g;
    V const at = arg_fold<nan_arg_extremum>::record(a, x);
    if (!is_inexact(x.type())) return at;
    index_t n = 1;
    for (int k = 0, mask = a.mask(x.rank()); k < x.rank(); ++k)
      if (mask >> k & 1) n = ir::times(g, n, x.shape().extent[k]);
    // looked up among the positions, where there is none of that number
    V const behind = ir::number<Mode>(g, n, dtype::int64);
    return ir::take(ir::positions<Mode>(g, n), V(where(at < 0, behind, at)), 0);
  }
};
template <class X, class... How>
requires(operands<X> || has_axis_names<X>) RICCI_INLINE constexpr auto nanargmax(X&& x, How... how) {
  return nan_arg_extremum<argmax_t>{}(static_cast<X&&>(x), how...);
}
template <class X, class... How>
requires(operands<X> || has_axis_names<X>) RICCI_INLINE constexpr auto nanargmin(X&& x, How... how) {
  return nan_arg_extremum<argmin_t>{}(static_cast<X&&>(x), how...);
}

}  // namespace ricci
