// odeint along many times, of states that are trees, with options that are known when it runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// x'' = -w^2 x
constexpr auto oscillator = [](auto s, auto, auto w) {
  auto const& [x, v] = s;
  return std::tuple(v, -w * w * x);
};
constexpr auto squares = [](auto w, auto start, auto ts, auto options) {
  auto const [x, v] = rc::odeint(oscillator, start, ts, options, w);
  return rc::sum(x * x);
};
double const w = 1.3;

}  // namespace

TEST_CASE("odeint: states between the ends of steps are as near as the tolerance says; times that are in no order") {
  rc::ndarray<double, 1> const ts = rc::linspace<double>(0, 6, 100);
  auto const along = [](auto const& times, rc::ode_options options) {
    return rc::odeint(oscillator, std::tuple(1., 0.), times, options, w);
  };
  for (double const tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    auto const [x, v] = along(ts, {.rtol = tolerance, .atol = tolerance});
    double off = 0;
    for (int k = 0; k < 100; ++k)
      off = std::max({off, std::abs(x(k) - std::cos(w * ts(k))), std::abs(v(k) + w * std::sin(w * ts(k)))});
    CHECK(off < 20 * tolerance);
    CHECK(x(0) == 1);
  }
  auto const error = [&](double a, double b, double c, int most = 10000) {
    rc::ndarray<double, 1> const times = rc::tensor<double, 3>{a, b, c};
    return raised([&] { along(times, {.max_steps = most}); });
  };
  CHECK(error(2, 1, 0) == "");
  CHECK(error(1, 1, 1) == "");
  CHECK(error(0, 2, 1) == "value_error: odeint: the times, which stand behind the state, neither ascend nor descend");
  CHECK(error(0, 1, 0) == "value_error: odeint: the times, which stand behind the state, neither ascend nor descend");
  CHECK(error(0, 1, INFINITY) == "value_error: odeint: 1 of the times is not finite");
  CHECK(error(0, 10, 20, 3)
            .starts_with("value_error: odeint: has taken 3 steps between two times, the last with an error of "));
}

TEST_CASE("odeint: many times do not make many steps") {
  int calls = 0;
  auto const decay = [&calls](auto y0, auto ts) {
    auto const field = [&calls](auto y, auto) {
      ++calls;
      return -y;
    };
    return rc::odeint(field, y0, ts, {.rtol = 1e-6, .atol = 1e-6});
  };
  rc::tensor<double, 200> const ts = rc::linspace<double>(0, 1, 200);
  auto const ys = rc::interpret(decay)(1., ts);
  CHECK(ys(100) == doctest::Approx(std::exp(-ts(100))).epsilon(1e-6));
  CHECK(calls < 150);
}

TEST_CASE("odeint: a gradient by all arguments, the state being a tuple") {
  rc::tensor<double, 3> const ts{.5, 1.1, 3};
  auto const [by_w, by_start, by_ts] =
      rc::grad<0, 1, 2>(squares)(w, std::tuple(1.5, -.4), ts, rc::ode_options{.rtol = 1e-9, .atol = 1e-9});
  double dw = 0, dx = 2 * 1.5, dv = 0, first = 0;
  double by_second = 0;
  for (int k = 1; k < 3; ++k) {
    double const t = ts(k) - .5, c = std::cos(w * t), s = std::sin(w * t);
    double const x = 1.5 * c - .4 * s / w, v = -1.5 * w * s - .4 * c;
    dx += 2 * x * c, dv += 2 * x * s / w;
    dw += 2 * x * (-1.5 * t * s - .4 * (t * c / w - s / (w * w)));
    first -= 2 * x * v;
    if (k == 1) by_second = 2 * x * v;
  }
  CHECK(by_w.item() == doctest::Approx(dw).epsilon(1e-6));
  CHECK(std::get<0>(by_start).item() == doctest::Approx(dx).epsilon(1e-6));
  CHECK(std::get<1>(by_start).item() == doctest::Approx(dv).epsilon(1e-6));
  CHECK(by_ts(0) == doctest::Approx(first).epsilon(1e-6));
  CHECK(by_ts(1) == doctest::Approx(by_second).epsilon(1e-6));
}
