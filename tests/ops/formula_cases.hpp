// Calls of functions that are formulas of other operations, for the generic derivative tests (derivatives.hpp).
#pragma once

#include "structural_cases.hpp"

namespace cases {

struct rearranged : of<extents<3, 4>> {
  static constexpr auto name = "roll repeat tile diff pad unstack split";
  constexpr auto operator()(auto x) const {
    auto const rolled = rc::roll(x * x, rc::shape(1, -2), rc::axis<0, 1>);
    auto const mirrored = rc::pad(rc::diff(rc::pad(x, rc::known<1>, rc::edge, rc::axis<1>)), rc::known<1>, rc::reflect);
    auto const [left, middle, right] = rc::split<3>(rc::pad(mirrored, rc::known<1>, rc::symmetric), rc::axis<1>);
    return rc::sum(left * middle * right) * rc::tile(rolled, rc::extents<1, 2>{}) *
               rc::repeat(x, rc::known<2>, rc::axis<1>) +
           rc::pad(rc::unstack(rc::stack(mirrored, mirrored))[1](2), rc::extents<0, 1>{}, 2., rc::axis<0>);
  }
};
struct diagonals : of<extents<2, 3, 4>> {
  static constexpr auto name = "diagonal diag trace tril triu sliding_window_view windows";
  constexpr auto operator()(auto x) const {
    auto const d = rc::diagonal(x * x, rc::known<1>);
    return rc::diag(d(0) * rc::trace(x)(1)) +
           rc::diagonal(rc::tril(x) * x, 1, rc::axis<2, 0>)(1) * rc::triu(x, 1)(1, 2, 3) +
           rc::sum(rc::square(rc::sliding_window_view(x * x, rc::extents<2, 2>{}, rc::axis<1, 2>)));
  }
};
struct together : of<extents<3, 1>, extents<4>> {
  static constexpr auto name =
      "broadcast_arrays meshgrid take_along_axis put_along_axis put unravel_index ravel_multi_index";
  constexpr auto operator()(auto x, auto y) const {
    auto const [a, b] = rc::broadcast_arrays(x * x, y);
    auto const [c, d] = rc::meshgrid(y, x(rc::all, 0));
    auto const i = rc::argsort(b);
    auto const at = rc::ravel_multi_index(rc::unravel_index(rc::argsort(y), extents<4, 3>{}), extents<4, 3>{});
    return rc::take_along_axis(a * b, i) + rc::put_along_axis(rc::put(c * d, at, y), i(rc::all, rc::range<0, 2>()), x);
  }
};

struct statistics : of<extents<3, 4>> {
  static constexpr auto name = "average cov corrcoef gradient trapezoid quantile";
  constexpr auto operator()(auto x) const {
    auto const sampled = rc::trapezoid(rc::gradient(x * x, .5), .25) + rc::quantile(x, .3, rc::axis<1>);
    return rc::cov(x) * rc::average(x, x * x + 1., rc::axis<1>) + rc::corrcoef(x) * sampled;
  }
};
struct of_vectors : of<extents<3>, extents<3>> {
  static constexpr auto name =
      "inner kron vdot nansum nanprod nanmax nanmin nanmean nanvar nanstd ptp median nanmedian partition argpartition";
  constexpr auto operator()(auto x, auto y) const {
    auto const some = rc::nanprod(y) + rc::nanmax(y) * rc::nanmin(y) + rc::nanstd(x);
    return rc::kron(rc::inner(x, y) * x, y * some * rc::vdot(x, x * y)) +
           rc::ptp(x) * rc::median(y) * rc::nanmedian(x) * rc::partition(x * y, 1)(2) + rc::argpartition(y, 0)(0);
  }
};
struct of_numbers : of<extents<2, 3>> {
  static constexpr auto name = "nanquantile nanpercentile nanargmax nanargmin nan_to_num";
  constexpr auto operator()(auto x) const {
    return rc::nanquantile(rc::nan_to_num(x * x, 2.), .6, rc::axis<1>) * (1 + rc::nanargmax(x, rc::axis<1>));
  }
};
// these have no derivative of their own
struct close : of<extents<3>, extents<3>> {
  static constexpr auto name = "array_equal allclose isclose count_nonzero";
  constexpr auto operator()(auto x, auto y) const { return x * rc::array_equal(x, y) + y * rc::count_nonzero(x); }
};

using formulas = list<rearranged, diagonals, together, statistics, of_vectors, of_numbers, close>;

}  // namespace cases
