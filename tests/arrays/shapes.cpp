#include "forms.hpp"

namespace oracle {

void manipulation(registry& r) {
  of_one<"expand_dims", all_types>(r, "axis=(0,)", "rc::expand_dims(x, rc::axis<0>)",
                                   [](auto const& x) { return rc::expand_dims(x, rc::axis<0>); });
  of_one<"expand_dims", all_types, 1, 1>(r, "axis=(1, -1)", "",
                                         [](auto const& x) { return rc::expand_dims(x, rc::axis<1, -1>); });
  of_one<"flip", all_types>(r, "", "rc::flip(x), rc::flip(x, rc::axis<0>)", [](auto const& x) { return rc::flip(x); });
  of_one<"flip", all_types, 1, 1>(r, "axis=(-1,)", "", [](auto const& x) { return rc::flip(x, rc::axis<-1>); });
  add<forms<part<float, 3>>, forms<part<c4, 3>>, forms<lazy<std::uint8_t, ext<2, dyn, 1>>>,
      forms<owner<std::int64_t, ext<2, 1, 3>>>>(r, "permute_dims", "axes=(2, 0, 1)",
                                                "rc::permute_dims(x, rc::axis<2, 0, 1>)",
                                                [](auto const& x) { return rc::permute_dims(x, rc::axis<2, 0, 1>); });
  add<forms<part<bool, 5>>>(r, "permute_dims", "axes=(4, 1, 0, 3, 2)", "",
                            [](auto const& x) { return rc::permute_dims(x, rc::axis<4, 1, 0, 3, 2>); });
  of_one<"reshape", all_types>(r, "shape=(-1,)",
                               "rc::reshape(x, rc::shape(2, -1)), rc::reshape(x, rc::extents<2, 3>{})",
                               [](auto const& x) { return rc::reshape(x, rc::shape(-1)); });
  add<forms<part<double, 4>>, forms<lazy<i4, ext<2, dyn>>>, forms<owner<c8, ext<2, 2, 1, 2>>>>(
      r, "reshape", "shape=(2, -1, 1)", "", [](auto const& x) { return rc::reshape(x, rc::shape(2, -1, 1)); });
  add<forms<owner<float, ext<2, 3>>>, forms<lazy<float, ext<3, 2>>>>(
      r, "reshape", "shape=(3, 1, 2)", "", [](auto const& x) { return rc::reshape(x, rc::extents<3, 1, 2>{}); });
  add<forms<part<float, 3>>, forms<lazy<c4, ext<dyn, 1, 2>>>, forms<owner<bool, ext<2, 1, 3>>>>(
      r, "squeeze", "axis=(1,)", "rc::squeeze(x, rc::axis<1>)",
      [](auto const& x) { return rc::squeeze(x, rc::axis<1>); });
  add<forms<part<i4, 5>>>(r, "squeeze", "axis=(0, -2)", "",
                          [](auto const& x) { return rc::squeeze(x, rc::axis<0, -2>); });
  add<forms<part<c4, 4>>, forms<part<i4, 1>>, forms<part<bool, 0>>, forms<lazy<i4, ext<dyn, 1, dyn>>>,
      forms<owner<double, ext<2, 1, 1>>>>(
      r, "broadcast_to", "shape=(3, 2, 1, 5)",
      "rc::broadcast_to(x, rc::shape(3, 2)), rc::broadcast_to(x, rc::extents<3, 2>{})",
      [](auto const& x) { return rc::broadcast_to(x, rc::shape(3, 2, 1, 5)); });
  add<forms<owner<float, ext<2, 1>>>, forms<lazy<i4, ext<dyn, 3>>>>(
      r, "broadcast_to", "shape=(2, 2, 3)", "",
      [](auto const& x) { return rc::broadcast_to(x, rc::extents<2, 2, 3>{}); });
  add<forms<part<float, 2>, part<float, 2>, part<float, 2>>, forms<part<c4, 3>, part<i4, 3>, part<c4, 3>>,
      forms<lazy<i4, ext<dyn, 3>>, owner<i4, ext<2, dyn>>, owner<i4, ext<1, 3>>>,
      forms<owner<bool, ext<2, 3>>, owner<bool, ext<1, 3>>, owner<bool, ext<0, 3>>>>(
      r, "concat", "axis=0", "rc::concat(a, b, rc::axis<0>)",
      [](auto const& a, auto const& b, auto const& c) { return rc::concat(a, b, c, rc::axis<0>); });
  add<forms<part<double, 5>, part<double, 5>>, forms<owner<float, ext<2, 2>>, lazy<float, ext<2, 3>>>>(
      r, "concat", "axis=-1", "", [](auto const& a, auto const& b) { return rc::concat(a, b, rc::axis<-1>); });
  add<forms<part<float, 2>, part<float, 2>>, forms<part<std::uint8_t, 4>, part<std::uint8_t, 4>>,
      forms<lazy<i4, ext<dyn, 3>>, owner<i4, ext<2, dyn>>>, forms<owner<c4, ext<3>>, owner<c4, ext<3>>>>(
      r, "stack", "axis=0", "rc::stack(a, b, rc::axis<0>)",
      [](auto const& a, auto const& b) { return rc::stack(a, b, rc::axis<0>); });
  add<forms<part<bool, 3>, part<bool, 3>>>(r, "stack", "axis=-1", "",
                                           [](auto const& a, auto const& b) { return rc::stack(a, b, rc::axis<-1>); });
}

}  // namespace oracle
