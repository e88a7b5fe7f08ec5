#include "forms.hpp"

namespace oracle {

void searching(registry& r) {
  of_one<"argmax", real_types, 1>(r, "", "rc::argmax(x), rc::argmax(x, rc::axis<0>)",
                                  [](auto const& x) { return rc::argmax(x); });
  of_one<"argmax", real_types, 1, 1>(r, "axis=0, keepdims=True", "",
                                     [](auto const& x) { return rc::argmax(x, rc::axis<0>, rc::keepdims); });
  of_one<"argmin", real_types, 1>(r, "", "rc::argmin(x), rc::argmin(x, rc::axis<0>)",
                                  [](auto const& x) { return rc::argmin(x); });
  of_one<"argmin", real_types, 1, 1>(r, "axis=-1", "", [](auto const& x) { return rc::argmin(x, rc::axis<-1>); });
  of_one<"nonzero", all_types, 1, 0, false>(r, "", "rc::nonzero(x)", [](auto const& x) { return rc::nonzero(x); });
  add<forms<part<bool, 2>, part<float, 2>, part<float, 1>>, forms<part<bool, 0>, part<c4, 3>, part<c8, 3>>,
      forms<part<bool, 4>, part<i4, 1>, part<double, 0>>,
      forms<lazy<bool, ext<dyn, 3>>, owner<std::uint8_t, ext<2, dyn>>, owner<std::uint8_t, ext<3>>>,
      forms<owner<bool, ext<2, 1>>, owner<rc::float16, ext<1, 3>>, owner<rc::float16, ext<>>>>(
      r, "where", "", "rc::where(condition, a, b)",
      [](auto const& c, auto const& a, auto const& b) { return rc::where(c, a, b); });
  of_one<"argsort", real_types, 1>(r, "axis=-1", "rc::argsort(x, rc::axis<0>, rc::descending)",
                                   [](auto const& x) { return rc::argsort(x); });
  of_one<"argsort", real_types, 1, 1>(r, "axis=0, descending=True", "",
                                      [](auto const& x) { return rc::argsort(x, rc::axis<0>, rc::descending); });
  of_one<"sort", real_types, 1>(r, "axis=-1", "rc::sort(x, rc::axis<0>, rc::descending)",
                                [](auto const& x) { return rc::sort(x); });
  of_one<"sort", real_types, 1, 1>(r, "axis=0, descending=True", "",
                                   [](auto const& x) { return rc::sort(x, rc::axis<0>, rc::descending); });
  of_one<"unique_values", real_types, 0, 0, false>(r, "", "rc::unique_values(x)",
                                                   [](auto const& x) { return rc::unique_values(x); });
  of_one<"unique_counts", real_types, 0, 0, false>(r, "", "rc::unique_counts(x)", [](auto const& x) {
    auto const u = rc::unique_counts(x);
    return std::tuple{u.values, u.counts};
  });
  of_one<"unique_inverse", real_types, 0, 0, false>(r, "", "rc::unique_inverse(x)", [](auto const& x) {
    auto const u = rc::unique_inverse(x);
    return std::tuple{u.values, u.inverse_indices};
  });
  of_one<"unique_all", real_types, 0, 0, false>(r, "", "rc::unique_all(x)", [](auto const& x) {
    auto const u = rc::unique_all(x);
    return std::tuple{u.values, u.indices, u.inverse_indices, u.counts};
  });
  add<only_compiled<part<c8, 2>>, only_compiled<owner<c4, ext<dyn>>>>(r, "unique_all", "", "", [](auto const& x) {
    auto const u = rc::unique_all(x);
    return std::tuple{u.values, u.indices, u.inverse_indices, u.counts};
  });
  add<forms<part<float, 3>, part<i4, 1>>, forms<part<c8, 1>, part<std::int64_t, 2>>,
      forms<lazy<std::uint8_t, ext<dyn, 3>>, owner<i4, ext<2>>>, forms<owner<double, ext<3, 2>>, owner<i4, ext<4>>>>(
      r, "take", "axis=0", "rc::take(x, indices, rc::axis<0>)",
      [](auto const& x, auto const& i) { return rc::take(x, i, rc::axis<0>); });
  add<forms<part<bool, 4>, part<i4, 1>>>(r, "take", "axis=-1", "",
                                         [](auto const& x, auto const& i) { return rc::take(x, i, rc::axis<-1>); });
  add<forms<part<float, 1>, part<float, 3>>, forms<part<i4, 1>, part<i4, 0>>,
      forms<lazy<double, ext<dyn>>, owner<double, ext<2, 3>>>, forms<owner<float, ext<5>>, owner<float, ext<2>>>>(
      r, "searchsorted", "", "rc::searchsorted(sorted, x), rc::searchsorted(sorted, x, rc::side::right)",
      [](auto const& x, auto const& v) { return rc::searchsorted(x, v); });
  add<forms<part<float, 1>, part<i4, 2>>, forms<owner<double, ext<6>>, owner<double, ext<4>>>>(
      r, "searchsorted", "sorter=True", "",
      [](auto const& x, auto const& v) { return rc::searchsorted(x, v, rc::sorter(rc::argsort(x))); });
}

}  // namespace oracle
