// Differential equations in batches, with a force that depends on time, and interpreted.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

TEST_CASE("odeint: a force that depends on time, in a batch") {
  // y' = a cos(t): y0 + a sin(t)
  auto const driven = [](auto a) {
    auto ys = rc::odeint([=](auto, auto t) { return a * rc::cos(t); }, rc::ones_like(a), rc::tensor<double, 2>{0, 2});
    return ys(-1);
  };
  rc::tensor<double, 3> const as{1, 2, -1};
  double const s = std::sin(2.);
  CHECK(numbers(rc::vmap(driven)(as)).near({1 + s, 1 + 2 * s, 1 - s}, 1e-6));
  CHECK(numbers(rc::vmap(rc::grad(driven))(as)).near({s, s, s}, 1e-6));
  CHECK(numbers(rc::grad([=](auto a) { return rc::sum(rc::square(rc::vmap(driven)(a))); })(as))
            .near({2 * s * (1 + s), 2 * s * (1 + 2 * s), 2 * s * (1 - s)}, 1e-6));
  CHECK(rc::interpret(rc::grad(driven))(1.).item() == doctest::Approx(s).epsilon(1e-6));
}

TEST_CASE("odeint: a batch of times, of values and of derivatives") {
  auto const decay = [](auto k, auto ts) {
    return rc::odeint([=](auto y, auto) { return -k * y; }, rc::ones_like(k), ts)(-1);
  };
  rc::tensor<double, 2, 2> const ts{{0, 1}, {2, 4}};
  auto const [by_k, by_ts] = rc::vmap(rc::grad<0, 1>(decay), rc::in_axes<rc::unbatched, 0>)(.5, ts);
  double const one = std::exp(-.5), two = std::exp(-1.);
  CHECK(numbers(by_k).near({-one, -2 * two}, 1e-6));
  CHECK(numbers(by_ts).near({.5 * one, -.5 * one, .5 * two, -.5 * two}, 1e-6));
}
