// Positions of extrema, NaN left out: `rc::nanargmax(x)`, `rc::nanargmin(x, rc::axis<0>)`.
#pragma once

#include <ricci/ops/arg_reduce.hpp>
#include <ricci/ops/gather.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// As argmax (argmin), but NaNs are left out: an index_error where there is nothing else.
template <class Of>
struct nan_arg_extremum : arg_fold<nan_arg_extremum<Of>> {
  static constexpr auto name = std::is_same_v<Of, argmax_t> ? "nanargmax" : "nanargmin";

  // -1: no element yet that is not NaN
  template <class T>
  RICCI_FN start() {
    return extremum_so_far<T>{T(0), -1};
  }
  RICCI_FN next(auto h, index_t i, auto x) {
    return scalar::isnan(x) || (h.at >= 0 && !Of::better(x, h.best)) ? h : decltype(h){x, i};
  }
  RICCI_FN join(auto a, auto b) { return b.at < 0 || (a.at >= 0 && !Of::better(b.best, a.best)) ? a : b; }

  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    using V = ir::value<Mode>;
    auto& g = *x.g;
    V const at = arg_fold<nan_arg_extremum>::record(a, x);
    if (!is_inexact(x.type())) return at;
    index_t n = 1;
    for (int k = 0, mask = a.mask(x.rank()); k < x.rank(); ++k)
      if (mask >> k & 1) n = ir::times(g, n, x.shape().extent[k]);
    // -1 becomes n, and looking the result up among 0, ..., n - 1 raises the index_error
    V const behind = ir::number<Mode>(g, n, dtype::int64);
    return ir::take<nan_arg_extremum>(ir::positions<Mode>(g, n), V(where(at < 0, behind, at)), 0);
  }
};
// (The operation depends on X, so that only calls instantiate it.)
template <class X, class... How>
requires(operands<X> || has_axis_names<X>) RICCI_INLINE constexpr auto nanargmax(X&& x, How... how) {
  return nan_arg_extremum<std::conditional_t<sizeof(X) != 0, argmax_t, X>>{}(static_cast<X&&>(x), how...);
}
template <class X, class... How>
requires(operands<X> || has_axis_names<X>) RICCI_INLINE constexpr auto nanargmin(X&& x, How... how) {
  return nan_arg_extremum<std::conditional_t<sizeof(X) != 0, argmin_t, X>>{}(static_cast<X&&>(x), how...);
}

}  // namespace ricci
