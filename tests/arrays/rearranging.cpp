#include "forms.hpp"

namespace oracle {

void rearranging(registry& r) {
  add<forms<part<float, 2>, part<c4, 3>>, forms<part<bool, 1>, part<i4, 0>>,
      forms<owner<i4, ext<dyn, 3>>, owner<double, ext<2, dyn>>>,
      forms<owner<float, ext<2, 1>>, owner<std::uint8_t, ext<3>>>>(
      r, "broadcast_arrays", "", "rc::broadcast_arrays(a, b, ...)",
      [](auto const& a, auto const& b) { return rc::broadcast_arrays(a, b); });
  of_one<"moveaxis", all_types, 2>(r, "source=0, destination=-1", "rc::moveaxis(x, rc::axis<0>, rc::axis<-1>)",
                                   [](auto const& x) { return rc::moveaxis(x, rc::axis<0>, rc::axis<-1>); });
  of_one<"repeat", all_types, 1>(r, "axis=0", "rc::repeat(x, n, rc::axis<0>)",
                                 [](numbers n, auto const& x) { return rc::repeat(x, n[0], rc::axis<0>); });
  add<forms<part<i4, 3>>, forms<lazy<float, ext<2, dyn>>>, forms<owner<c4, ext<2, 2, 3>>>>(
      r, "repeat", "times=3, axis=-1", "", [](auto const& x) { return rc::repeat(x, rc::known<3>, rc::axis<-1>); });
  add<only_compiled<part<c4, 3>, part<std::int8_t, 1>>, only_compiled<owner<float, ext<3, 2>>, owner<i4, ext<3>>>>(
      r, "repeat", "counts=True, axis=0", "",
      [](auto const& x, auto const& counts) { return rc::repeat(x, counts, rc::axis<0>); });
  of_one<"roll", all_types>(r, "", "rc::roll(x, n), rc::roll(x, rc::shape(m, n), rc::axis<0, 1>)",
                            [](numbers n, auto const& x) { return rc::roll(x, n[0]); });
  of_one<"roll", all_types, 2, 1>(r, "axis=(0, -1)", "", [](numbers n, auto const& x) {
    return rc::roll(x, rc::shape(n[0], n[1]), rc::axis<0, -1>);
  });
  of_one<"tile", all_types, 0>(r, "count=2", "rc::tile(x, rc::shape(m, n))",
                               [](numbers n, auto const& x) { return rc::tile(x, rc::shape(n[0], n[1])); });
  add<forms<part<bool, 1>>, forms<lazy<float, ext<2, dyn>>>, forms<owner<i4, ext<2, 2, 3>>>>(
      r, "tile", "times=(2, 1, 3)", "", [](auto const& x) { return rc::tile(x, rc::extents<2, 1, 3>{}); });
  add<forms<lazy<float, ext<3, dyn>>>, forms<lazy<c4, ext<3, dyn, dyn>>>, forms<owner<i4, ext<3, 1, 2>>>>(
      r, "unstack", "axis=0, parts=3", "rc::unstack(x, rc::axis<0>)",
      [](auto const& x) { return rc::unstack(x, rc::axis<0>); });
  of_one<"tril", all_types, 2>(r, "", "rc::tril(x, k)", [](numbers n, auto const& x) { return rc::tril(x, n[0]); });
  of_one<"triu", all_types, 2>(r, "", "rc::triu(x, k)", [](numbers n, auto const& x) { return rc::triu(x, n[0]); });
  add<forms<part<float, 1>, part<i4, 1>>, forms<owner<i4, ext<3>>, owner<c4, ext<dyn>>>,
      forms<owner<float, ext<2>>, owner<std::uint8_t, ext<3>>>>(
      r, "meshgrid", "", "rc::meshgrid(x, y, ...), rc::meshgrid(x, y, rc::indexing_ij)",
      [](auto const& a, auto const& b) { return rc::meshgrid(a, b); });
  add<forms<part<float, 1>, part<i4, 1>, part<double, 1>>>(
      r, "meshgrid", "indexing='ij'", "",
      [](auto const& a, auto const& b, auto const& c) { return rc::meshgrid(a, b, c, rc::indexing_ij); });
  of_one<"diff", types<double, i4, float>, 1>(r, "", "rc::diff(x), rc::diff<2>(x, rc::axis<0>)",
                                              [](auto const& x) { return rc::diff(x); });
  add<forms<part<i4, 2>>>(r, "diff", "n=2, axis=0", "", [](auto const& x) { return rc::diff<2>(x, rc::axis<0>); });
  add<forms<part<i4, 2>, part<i4, 2>>, forms<owner<double, ext<2, 3>>, owner<double, ext<1, 3>>>>(
      r, "diff", "axis=0, around=True", "",
      [](auto const& x, auto const& y) { return rc::diff(x, rc::axis<0>, rc::prepend(1), rc::append(y)); });
  add<forms<part<float, 2>, part<i4, 2>>, forms<part<c8, 4>, part<std::int64_t, 4>>,
      forms<lazy<float, ext<dyn, 3>>, owner<i4, ext<2, 3>>>,
      forms<owner<bool, ext<3, 2>>, owner<std::int64_t, ext<4, 2>>>>(
      r, "take_along_axis", "axis=0", "rc::take_along_axis(x, indices, rc::axis<0>)",
      [](auto const& x, auto const& i) { return rc::take_along_axis(x, i, rc::axis<0>); });
}

}  // namespace oracle
