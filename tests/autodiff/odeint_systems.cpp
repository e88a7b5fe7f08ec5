// Differential equations of several numbers, and without an end.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// x'' = -w^2 x, as a system whose matrix is captured
constexpr auto oscillator = [](auto m, auto start, auto ts) {
  return rc::odeint([=](auto y, auto) { return rc::matmul(m, y); }, start, ts, {.rtol = 1e-9, .atol = 1e-11});
};
double const w = 1.3;
rc::tensor<double, 2, 2> const m{{0, 1}, {-w * w, 0}};

}  // namespace

TEST_CASE("odeint: a harmonic oscillator, by its matrix and its start, of run-time extents") {
  rc::ndarray<double, 1> const ts = rc::linspace<double>(0, 3, 4), start = rc::tensor<double, 2>{1, 0};
  auto const ys = rc::fn(oscillator)(m, start, ts);
  for (int i = 0; i < 4; ++i) CHECK(numbers(ys(i)).near({std::cos(w * i), -w * std::sin(w * i)}, 1e-7));
  // x(3) = x0 cos(3 w) + v0 sin(3 w) / w; w^2 is -m(1, 0)
  auto const last = [](auto k, auto s, auto t) { return oscillator(k, s, t)(-1, 0); };
  auto const [dm, ds] = rc::grad<0, 1>(last)(m, start, ts);
  CHECK(numbers(ds).near({std::cos(3 * w), std::sin(3 * w) / w}, 1e-7));
  CHECK(dm(1, 0) == doctest::Approx(3 * std::sin(3 * w) / (2 * w)).epsilon(1e-6));
}

TEST_CASE("odeint: an equation whose solution ends is an error") {
  auto const explodes = [](auto a) {  // 1 / (1 - t)
    return rc::odeint([=](auto y, auto) { return a * y * y; }, 1., rc::tensor<double, 2>{0, 2}, {.max_steps = 200});
  };
  CHECK_THROWS_AS(rc::fn(explodes)(1.), rc::value_error);
}
