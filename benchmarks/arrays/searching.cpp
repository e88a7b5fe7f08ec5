// Sorting, searching, sets, counts, convolutions.
#include <algorithm>

#include "ricci.hpp"

namespace bench {

void searching() {
  auto& v = x();
  auto const &a = v.a, &b = v.b, &p = v.p;
  auto const &i = v.i, &s = v.s;
  auto const& aa = v.aa;
  auto const& o = data();
  float const *const fa = o.a.data(), *const fb = o.b.data();
  std::int32_t const* const bytes = o.s.data();
  auto const& grid = v.grid;
  static vector<float> const heights = rc::square(grid), sorted = rc::sort(b);
  static vector<float> const kernel = b(rc::range(0, 64));
  static vector<std::int32_t> const few = rc::arange<std::int32_t>(0, 300, 3);
  static vector<std::int32_t> const apart = rc::arange<std::int32_t>(0, 300, 3) * 1000000;
  auto const line = [](char const* name, auto r, char const* np, auto... more_peers) {
    contest(name, size, ricci(r), peers(numpy(np), more_peers...));
  };
  auto const sorted_copy = [](auto const& from) {
    auto const y = std::make_shared<std::vector<float>>();
    return loop([from, y] {
      y->assign(from.begin(), from.end());
      std::sort(y->begin(), y->end());
      return y.get();
    });
  };
  line(
      "sort", [&] { return rc::sort(a); }, "np.sort(a)", sorted_copy(o.a));
  line(
      "sort, descending", [&] { return rc::sort(a, rc::descending); }, "np.sort(a)[::-1]");
  line(
      "sort, float64", [&] { return rc::sort(v.d); }, "np.sort(d)");
  line(
      "sort, int32", [&] { return rc::sort(i); }, "np.sort(i)");
  line(
      "sort of sorted", [&] { return rc::sort(sorted); }, "np.sort(np.sort(b))");
  line(
      "sort, axis 1", [&] { return rc::sort(aa); }, "np.sort(aa, 1)");
  line(
      "sort, axis 0", [&] { return rc::sort(aa, rc::axis<0>); }, "np.sort(aa, 0)");
  line(
      "argsort", [&] { return rc::argsort(a); }, "np.argsort(a, stable=True)");
  line(
      "argsort, int32", [&] { return rc::argsort(i); }, "np.argsort(i, stable=True)");
  line(
      "argsort, axis 1", [&] { return rc::argsort(aa); }, "np.argsort(aa, 1, stable=True)");
  line(
      "median", [&] { return rc::median(a); }, "np.median(a)");
  line(
      "median, axis 1", [&] { return rc::median(aa, rc::axis<1>); }, "np.median(aa, 1)");
  line(
      "quantile .9", [&] { return rc::quantile(a, .9f); }, "np.quantile(a, .9)");
  line(
      "top_k of 10", [&] { return std::get<0>(rc::top_k(a, 10)); }, "-np.sort(-np.partition(a, 999990)[-10:])");
  line(
      "top_k of 10, rows", [&] { return std::get<0>(rc::top_k(aa, 10)); },
      "-np.sort(-np.partition(aa, 990, 1)[:, -10:], 1)");
  line(
      "nonzero", [&] { return std::get<0>(rc::nonzero(v.c)); }, "np.nonzero(c)[0]");
  line(
      "nonzero, 1000 x 1000", [&] { return std::get<0>(rc::nonzero(v.cc)); }, "np.nonzero(cc)[0]");
  line(
      "flatnonzero(a > .5)", [&] { return rc::flatnonzero(a > .5f); }, "np.flatnonzero(a > .5)");
  line(
      "searchsorted in 1000", [&] { return rc::searchsorted(grid, a); }, "np.searchsorted(grid, a)");
  line(
      "searchsorted in 1e6", [&] { return rc::searchsorted(sorted, a); }, "np.searchsorted(sorted_b, a)");
  line(
      "digitize in 1000", [&] { return rc::digitize(a, grid); }, "np.digitize(a, grid)");
  line(
      "unique_values", [&] { return rc::unique_values(a); }, "np.unique_values(a)");
  line(
      "unique_values, int32", [&] { return rc::unique_values(i); }, "np.unique(i)");
  line(
      "unique_counts, int32", [&] { return rc::unique_counts(i).values; }, "np.unique_counts(i).values");
  line(
      "unique_inverse, int32", [&] { return rc::unique_inverse(i).values; }, "np.unique_inverse(i).values");
  line(
      "isin of 100, int32", [&] { return rc::isin(s, few); }, "np.isin(s, few)");
  line(
      "isin of 100 far apart, int32", [&] { return rc::isin(s, apart); }, "np.isin(s, few * 1000000)");
  line(
      "isin of 1e6", [&] { return rc::isin(a, b); }, "np.isin(a, b)");
  line(
      "intersect1d, int32", [&] { return rc::intersect1d(i, s); }, "np.intersect1d(i, s)");
  line(
      "union1d, int32", [&] { return rc::union1d(i, s); }, "np.union1d(i, s)");
  line(
      "setdiff1d, int32", [&] { return rc::setdiff1d(i, s); }, "np.setdiff1d(i, s)");
  auto const counted = loop([=] {
    static std::vector<std::int64_t> counts(256);
    for (auto& c : counts) c = 0;
    for (long k = 0; k < size; ++k) ++counts[std::size_t(bytes[k])];
    return &counts;
  });
  line(
      "bincount", [&] { return rc::bincount(s); }, "np.bincount(s)", counted);
  line(
      "bincount of 256", [&] { return rc::bincount(s, rc::shape(256)); }, "np.bincount(s)", counted);
  line(
      "bincount with weights of 256", [&] { return rc::bincount(s, p, rc::shape(256)); }, "np.bincount(s, p)");
  line(
      "bincount with weights", [&] { return rc::bincount(s, p); }, "np.bincount(s, p)");
  line(
      "histogram of 100", [&] { return std::get<0>(rc::histogram(a, 100)); }, "np.histogram(a, 100)[0]");
  line(
      "histogram of 100 between",
      [&] {
        return std::get<0>(rc::histogram(a, 100, {-3, 3}));
      },
      "np.histogram(a, 100, (-3, 3))[0]");
  line(
      "histogram of edges", [&] { return std::get<0>(rc::histogram(a, grid)); }, "np.histogram(a, grid)[0]");
  line(
      "interp in 1000", [&] { return rc::interp(a, grid, heights); }, "np.interp(a, grid, grid * grid)");
  line(
      "convolve with 64", [&] { return rc::convolve(a, kernel); }, "np.convolve(a, b[:64])");
  line(
      "convolve with 3, same", [&] { return rc::convolve(a, kernel(rc::range(0, 3)), rc::overlap::same); },
      "np.convolve(a, b[:3], 'same')", loop_of<float>([=](long k) {
        return fa[k] * fb[1] + (k > 0 ? fa[k - 1] : 0) * fb[2] + (k + 1 < size ? fa[k + 1] : 0) * fb[0];
      }));
  line(
      "correlate of equal lengths", [&] { return rc::correlate(a, b); }, "np.correlate(a, b)");
}

}  // namespace bench
