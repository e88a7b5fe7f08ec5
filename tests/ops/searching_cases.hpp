// Cases for the generic derivative tests (derivatives.hpp): what searches and counts, convolutions. Each names the
// operations that it is about.
#pragma once

#include "derivatives.hpp"

namespace cases {

namespace rc = ricci;
using rc::extents;

struct convolved {
  using inputs = std::tuple<extents<2, 5>, extents<3>>;
  static std::tuple<> constants() { return {}; }
  static constexpr auto name = "convolution";
  constexpr auto operator()(auto x, auto v) const {
    return rc::convolve(x, v, rc::overlap::same) * x + rc::sum(rc::correlate(v, x) * rc::correlate(x, v)) +
           rc::convolve(rc::correlate(v, x, rc::overlap::same), v, rc::overlap::valid)(rc::all, 1, rc::newaxis);
  }
};
// what counts has no derivative of its own, but its weights have
struct counted {
  using inputs = std::tuple<extents<4>, extents<6>>;
  static auto constants() { return std::tuple(rc::tensor<int, 4>{2, 0, 2, 3}); }
  static constexpr auto name = "bincount searchsorted isin is_in_sorted ";
  static constexpr auto second_name = "histogram histogram_bin_edges histogram_density lexsort polyval ";
  constexpr auto operator()(auto w, auto x, auto i) const {
    auto const bins = rc::histogram(i, rc::extents<4>{}, rc::density);
    auto const places = rc::searchsorted(i(rc::range<0, 1>()), i) + rc::digitize(i, bins.second, rc::side::right);
    return rc::bincount(i, w * w, rc::extents<4>{}) * bins.first * rc::where(rc::isin(i, 2), 3., places) +
           rc::sum(x * x) + rc::polyval(w, x(rc::range<1, 5>())) * w(rc::lexsort(i, i > 0));
  }
};

struct followed {
  static constexpr auto name = "interp greatest top_k elements_of_rows ";
  static constexpr auto second_name = "cumulative_max cumulative_min running_position ";
  constexpr auto operator()(auto x, auto xp, auto fp, auto steps) const {
    rc::tensor<double, 5> const weights{1, 10, 100, 1000, 10000};
    auto const most = rc::sum(rc::top_k(steps, rc::extents<2>{}).first);
    return rc::sum(rc::interp(x, xp, fp)) + most + rc::sum(rc::cumulative_max(steps) * weights) +
           rc::cumulative_min(steps(rc::range<1, 3>()))(0) * rc::count_nonzero(x > 4.);
  }
};

}  // namespace cases
