// What equations define: roots, fixed points, solutions of linear systems, and their derivatives, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto cube_root = [](auto a) {
  return rc::custom_root([=](auto x) { return x * x * x - a; }, rc::ones_like(a));
};
// x^2 + a x = 1, and its solution
constexpr auto positive_root = [](auto a) {
  return rc::custom_root([=](auto x) { return x * x + a * x - 1.; }, rc::ones_like(a));
};
constexpr auto formula = [](auto a) { return (rc::sqrt(a * a + 4.) - a) / 2.; };

}  // namespace

TEST_CASE("a root of one equation: derivatives of every order, in both modes, compiled and interpreted") {
  CHECK(rc::fn(cube_root)(8.).item() == doctest::Approx(2).epsilon(1e-12));
  CHECK(rc::grad(cube_root)(8.).item() == doctest::Approx(1. / 12).epsilon(1e-12));
  double const second = -2. / 9 * std::pow(8., -5. / 3);
  CHECK(rc::grad(rc::grad(cube_root))(8.).item() == doctest::Approx(second).epsilon(1e-12));
  CHECK(std::get<1>(rc::jvp(cube_root)(8.)(2.)).item() == doctest::Approx(1. / 6).epsilon(1e-12));
  CHECK(rc::interpret(cube_root)(8.).item() == rc::fn(cube_root)(8.).item());
  CHECK(rc::interpret(rc::grad(rc::grad(cube_root)))(8.).item() == doctest::Approx(second).epsilon(1e-12));
  auto const [y, pull] = rc::vjp(cube_root)(27.);
  CHECK(y.item() == doctest::Approx(3));
  CHECK(std::get<0>(pull(2.)).item() == doctest::Approx(2. / 27).epsilon(1e-12));
  CHECK(rc::grad(cube_root)(8.F).item() == doctest::Approx(1. / 12).epsilon(1e-5));
}

TEST_CASE("derivatives by what f multiplies x with are exact at every order") {
  auto const third = [](auto f) { return rc::grad(rc::grad(rc::grad(f))); };
  CHECK(rc::grad(positive_root)(.7).item() == doctest::Approx(rc::grad(formula)(.7).item()).epsilon(1e-12));
  CHECK(third(positive_root)(.7).item() == doctest::Approx(third(formula)(.7).item()).epsilon(1e-11));
  auto const [x, t] = rc::jvp(rc::grad(positive_root))(.7)(1.);
  CHECK(t.item() == doctest::Approx(rc::grad(rc::grad(formula))(.7).item()).epsilon(1e-12));
}

TEST_CASE("how large a residual is does not matter") {
  auto const scaled = [](auto a) { return rc::custom_root([=](auto x) { return a * (x * x - 4.F); }, 1.F); };
  for (float const a : {1e-30F, 1e-24F, 1e-20F, 1.F, 1e18F, 1e30F})
    CHECK(rc::fn(scaled)(a).item() == doctest::Approx(2).epsilon(1e-5));
  auto const far = [](auto a) { return rc::custom_root([=](auto x) { return x - a; }, 1.F); };
  CHECK(rc::fn(far)(1e25F).item() == doctest::Approx(1e25).epsilon(1e-5));
}
