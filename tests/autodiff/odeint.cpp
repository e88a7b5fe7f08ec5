// What differential equations define, and its derivatives, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

// y' = -k y: start exp(-k (t - t0))
constexpr auto decay = [](auto rate, auto first, auto times) {
  return rc::odeint([=](auto y, auto) { return -rate * y; }, first, times, {.rtol = 1e-10, .atol = 1e-12});
};
constexpr auto total = [](auto rate, auto first, auto times) {
  auto const ys = decay(rate, first, times);
  return rc::sum(ys * ys);
};
rc::tensor<double, 3> const ts{.5, 1, 2};
double const k = .7, start = 1.5;
double state(double t) { return start * std::exp(-k * (t - .5)); }

}  // namespace

TEST_CASE("odeint: states, and gradients by parameters, the first state, and times") {
  CHECK(numbers(rc::fn(decay)(k, start, ts)).near({start, state(1), state(2)}, 1e-8));
  auto const [by_k, by_y0, by_ts] = rc::grad<0, 1, 2>(total)(k, start, ts);
  double const one = state(1), two = state(2);
  CHECK(by_k.item() == doctest::Approx(-2 * (.5 * one * one + 1.5 * two * two)).epsilon(1e-7));
  CHECK(by_y0.item() == doctest::Approx(2 * (start * start + one * one + two * two) / start).epsilon(1e-7));
  CHECK(numbers(by_ts).near({2 * k * (one * one + two * two), -2 * k * one * one, -2 * k * two * two}, 1e-7));
  // back in time
  CHECK(numbers(rc::fn(decay)(k, state(2), rc::tensor<double, 2>{2, .5})).near({state(2), start}, 1e-8));
}

TEST_CASE("odeint: tangents") {
  auto const [states, change] = rc::jvp(decay)(k, start, ts)(1., 2., rc::tensor<double, 3>{.1, 0, .3});
  double const one = state(1), two = state(2);
  CHECK(numbers(states).near({start, one, two}, 1e-8));
  CHECK(numbers(change).near({2, one * (-.5 + 2 / start + .1 * k), two * (-1.5 + 2 / start + .1 * k - .3 * k)}, 1e-7));
}

TEST_CASE("odeint: the contract of an example") {
  auto const by_last = [](auto rate) {
    auto ys = rc::odeint([=](auto s, auto) { return -rate * s; }, rc::tensor<double, 1>{1.},
                         rc::tensor<double, 2>{0., 2.}, {.rtol = 1e-10, .atol = 1e-12});
    return rc::sum(ys(-1));
  };
  CHECK(rc::grad(by_last)(.7).item() == doctest::Approx(-2 * std::exp(-1.4)).epsilon(1e-8));
  CHECK(rc::grad(rc::grad(by_last))(.7).item() == doctest::Approx(4 * std::exp(-1.4)).epsilon(1e-7));
}
