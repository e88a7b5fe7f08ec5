// Reverse mode through loops whose number of iterations is known when they begin, against loops that are unrolled.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../bounded_loops.hpp"

namespace rc = ricci;
using namespace bounded_loops;

TEST_CASE("reverse mode where the number of iterations is known when the loop begins") {
  check_near(rc::fn(looped)(x, w, .7), rc::fn(unrolled)(x, w, .7));
  check_near(rc::grad<0, 1, 2>(looped)(x, w, .7), rc::grad<0, 1, 2>(unrolled)(x, w, .7));
  check_near(rc::hessian<1>(looped)(x, w, .7), rc::hessian<1>(unrolled)(x, w, .7));
  check_near(rc::grad<0, 1, 2>(looped)(rc::ndarray<double, 1>(x), rc::ndarray<double, 2>(w), .7),
             rc::grad<0, 1, 2>(unrolled)(x, w, .7));
  check_near(std::get<1>(rc::vjp(looped)(x, w, .7))(2.), std::get<1>(rc::vjp(unrolled)(x, w, .7))(2.));
  auto const along = [](auto v, auto h) {
    return rc::fori_loop(
        0, v.shape(0), [=](auto i, auto s) { return s * v(i) + rc::sin(s); }, h);
  };
  auto const by_hand = [](auto v, auto h) {
    auto s = h;
    for (int i = 0; i < 3; ++i) s = s * v(i) + rc::sin(s);
    return s;
  };
  rc::tensor<double, 3> const v{.5, -.3, 2};
  check_near(rc::grad<0, 1>(along)(rc::ndarray<double, 1>(v), 1.2), rc::grad<0, 1>(by_hand)(v, 1.2));
  check_near(rc::jacfwd(rc::grad(along))(v, 1.2), rc::jacfwd(rc::grad(by_hand))(v, 1.2));
  CHECK(rc::grad<1>(along)(rc::ndarray<double, 1>(0), 1.2).item() == 1);
}

TEST_CASE("a loop in a loop, backwards, to the third order") {
  auto const power = [](auto a) {
    return rc::fori_loop(
        0, 3,
        [=](auto, auto y) {
          return rc::fori_loop(
              0, 2, [=](auto, auto z) { return z * a; }, y);
        },
        a);
  };
  CHECK(rc::grad(power)(1.5).item() == doctest::Approx(7 * std::pow(1.5, 6)));
  CHECK(rc::grad(rc::grad(power))(1.5).item() == doctest::Approx(42 * std::pow(1.5, 5)));
  CHECK(rc::grad(rc::grad(rc::grad(power)))(1.5).item() == doctest::Approx(210 * std::pow(1.5, 4)));
}
