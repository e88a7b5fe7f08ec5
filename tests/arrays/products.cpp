#include "forms.hpp"

namespace oracle {

void products(registry& r) {
  of_one<"matrix_transpose", all_types, 2>(r, "", "rc::matrix_transpose(x), x.T()",
                                           [](auto const& x) { return rc::matrix_transpose(x); });
  add<forms<part<float, 2>, part<float, 2>>, forms<part<c8, 4>, part<c8, 3>>, forms<part<i4, 1>, part<i4, 2>>,
      forms<lazy<double, ext<dyn, 3>>, owner<double, ext<3, dyn>>>,
      forms<owner<float, ext<2, 3>>, owner<float, ext<3, 4>>>, forms<owner<c4, ext<2, 2, 3>>, owner<c4, ext<3>>>>(
      r, "matmul", "", "rc::matmul(a, b)", [](auto const& a, auto const& b) { return rc::matmul(a, b); });
  add<forms<part<float, 3>, part<float, 3>>, forms<part<c8, 2>, part<c8, 1>>, forms<part<i4, 1>, part<i4, 1>>,
      forms<lazy<double, ext<dyn, 3>>, owner<double, ext<2, dyn>>>, forms<owner<c4, ext<2, 3>>, owner<c4, ext<3>>>>(
      r, "vecdot", "", "rc::vecdot(a, b)", [](auto const& a, auto const& b) { return rc::vecdot(a, b); });
  add<forms<part<float, 3>, part<float, 3>>, forms<part<i4, 4>, part<i4, 2>>,
      forms<lazy<double, ext<2, dyn>>, owner<double, ext<3, dyn>>>, forms<owner<c4, ext<2, 3>>, owner<c4, ext<3, 2>>>>(
      r, "tensordot", "axes=([0], [1])", "rc::tensordot(a, b, rc::axes<1>, rc::axes<0>), rc::tensordot<2>(a, b)",
      [](auto const& a, auto const& b) { return rc::tensordot(a, b, rc::axes<0>, rc::axes<1>); });
  add<forms<part<double, 3>, part<double, 3>>>(r, "tensordot", "axes=2", "",
                                               [](auto const& a, auto const& b) { return rc::tensordot<2>(a, b); });
}

}  // namespace oracle
