#include "forms.hpp"

namespace oracle {

void statistics(registry& r) {
  of_one<"max", real_types>(r, "", "rc::max(x), rc::max(x, rc::axis<0>, rc::keepdims)",
                            [](auto const& x) { return rc::max(x); });
  of_one<"max", real_types, 2, 1>(r, "axis=(0, -1), keepdims=True", "",
                                  [](auto const& x) { return rc::max(x, rc::axis<0, -1>, rc::keepdims); });
  of_one<"min", real_types>(r, "", "rc::min(x), rc::min(x, rc::axis<0>)", [](auto const& x) { return rc::min(x); });
  of_one<"min", real_types, 1, 1>(r, "axis=(-1,)", "", [](auto const& x) { return rc::min(x, rc::axis<-1>); });
  of_one<"sum", all_types>(r, "", "rc::sum(x), rc::sum(x, rc::axis<0, 2>)", [](auto const& x) { return rc::sum(x); });
  of_one<"sum", all_types, 1, 1>(r, "axis=(0,)", "", [](auto const& x) { return rc::sum(x, rc::axis<0>); });
  of_one<"sum", all_types, 2, 2>(r, "axis=(1,), keepdims=True", "",
                                 [](auto const& x) { return rc::sum(x, rc::axis<1>, rc::keepdims); });
  add<forms<part<float, 3>>, forms<part<i4, 4>>>(r, "sum", "axis=run_time", "",
                                                 [](numbers n, auto const& x) { return rc::sum(x, int(n[0])); });
  of_one<"prod", all_types>(r, "", "rc::prod(x), rc::prod(x, rc::axis<0>)", [](auto const& x) { return rc::prod(x); });
  of_one<"prod", all_types, 1, 1>(r, "axis=(-1,)", "", [](auto const& x) { return rc::prod(x, rc::axis<-1>); });
  of_one<"mean", floats>(r, "", "rc::mean(x), rc::mean(x, rc::axis<0>)", [](auto const& x) { return rc::mean(x); });
  of_one<"mean", floats, 1, 1>(r, "axis=(0,)", "", [](auto const& x) { return rc::mean(x, rc::axis<0>); });
  of_one<"var", floats>(r, "", "rc::var(x), rc::var(x, rc::axis<0>)", [](auto const& x) { return rc::var(x); });
  of_one<"var", floats, 1, 1>(r, "axis=(-1,)", "", [](auto const& x) { return rc::var(x, rc::axis<-1>); });
  of_one<"std", floats>(r, "", "rc::std(x), rc::std(x, rc::axis<0>)", [](auto const& x) { return rc::std(x); });
  of_one<"cumulative_sum", numbers_of_all, 1>(r, "axis=0", "rc::cumulative_sum(x, rc::axis<0>)",
                                              [](auto const& x) { return rc::cumulative_sum(x, rc::axis<0>); });
  of_one<"cumulative_prod", numbers_of_all, 1>(r, "axis=-1", "rc::cumulative_prod(x, rc::axis<-1>)",
                                               [](auto const& x) { return rc::cumulative_prod(x, rc::axis<-1>); });
  of_one<"cumulative_sum", numbers_of_all, 1, 1>(
      r, "axis=-1, include_initial=True", "", [](auto const& x) { return rc::cumulative_sum(x, rc::include_initial); });
  add<forms<part<double, 3>>, forms<part<i4, 2>>>(
      r, "cumulative_sum", "axis=run_time, include_initial=True", "",
      [](numbers n, auto const& x) { return rc::cumulative_sum(x, int(n[0]), rc::include_initial); });
  add<forms<part<float, 2>>>(
      r, "cumulative_prod", "axis=run_time, include_initial=True", "",
      [](numbers n, auto const& x) { return rc::cumulative_prod(x, int(n[0]), rc::include_initial); });
  of_one<"all", all_types>(r, "", "rc::all(x), rc::all(x, rc::axis<0>)", [](auto const& x) { return rc::all(x); });
  of_one<"all", all_types, 1, 1>(r, "axis=(0,)", "", [](auto const& x) { return rc::all(x, rc::axis<0>); });
  of_one<"any", all_types>(r, "", "rc::any(x), rc::any(x, rc::axis<0>)", [](auto const& x) { return rc::any(x); });
  of_one<"any", all_types, 1, 1>(r, "axis=(-1,), keepdims=True", "",
                                 [](auto const& x) { return rc::any(x, rc::axis<-1>, rc::keepdims); });
}

}  // namespace oracle
