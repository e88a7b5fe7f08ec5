// Equations within loops, and loops within equations.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

TEST_CASE("roots within loops, and loops within equations") {
  auto const steps = [](auto start, auto as) {
    auto [last, all] = rc::scan(
        [](auto y, auto a) {
          auto const x = rc::custom_root([=](auto z) { return z * z * z + z - a - y; }, rc::zeros_like(y));
          return std::tuple(x, x * x);
        },
        start, as);
    return last + rc::sum(all);
  };
  rc::tensor<double, 3> const as{1, -2, .5};
  auto const [by_start, by_as] = rc::grad<0, 1>(steps)(.4, as);
  double const h = 1e-5;
  CHECK(by_start.item() ==
        doctest::Approx((rc::fn(steps)(.4 + h, as).item() - rc::fn(steps)(.4 - h, as).item()) / (2 * h)).epsilon(1e-7));
  rc::tensor<double, 3> up = as, down = as;
  up(1) += h, down(1) -= h;
  CHECK(by_as(1) ==
        doctest::Approx((rc::fn(steps)(.4, up).item() - rc::fn(steps)(.4, down).item()) / (2 * h)).epsilon(1e-7));
  auto const by_a_loop = [](auto a) {
    return rc::custom_root(
        [=](auto x) {
          return std::get<0>(rc::scan([=](auto p, auto) { return std::tuple(p * x, std::tuple{}); }, x,
                                      rc::arange<int>(rc::extents<2>{}))) -
                 a;
        },
        rc::ones_like(a));
  };
  CHECK(rc::grad(by_a_loop)(8.).item() == doctest::Approx(1. / 12).epsilon(1e-12));
  CHECK(rc::grad(rc::grad(by_a_loop))(8.).item() == doctest::Approx(-2. / 9 * std::pow(8., -5. / 3)).epsilon(1e-12));
}
