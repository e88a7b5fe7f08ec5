// What solves equations, and Taylor series, on the device: each as on the host.
#include "there.hpp"

#include "../raised.hpp"

namespace rc = ricci;

namespace {

rc::tensor<double, 3> const x{.5, 1, 1.5}, y{2, -1, .25};

constexpr auto root = [](auto a) {
  return rc::custom_root([=](auto r) { return r * r * r + r - a; }, rc::ones_like(a));
};

}  // namespace

TEST_CASE("Taylor series, pushforwards, what comes along there") {
  auto const f = [](auto a) { return rc::sin(a) * a; };
  auto const dx = rc::copy(x, there), dy = rc::copy(y, there);
  CHECK(elements(rc::jet<3>(f)(dx, dy)[3]).near(numbers(rc::jet<3>(f)(x, y)[3]), 1e-12));
  auto const [value, push] = rc::linearize(f)(dx);
  CHECK(elements(push(dy)).near(numbers(rc::jvp(f)(x)(y).second), 1e-12));
  auto const square = [](auto a) { return std::pair(rc::sum(a * a), 2. * a); };
  auto const [outcome, slope] = rc::value_and_grad(square, rc::has_aux)(dx);
  CHECK(elements(outcome.second) == elements(slope));
  CHECK(outcome.first.item() == 3.5);
}

TEST_CASE("roots of equations there") { check_there(rc::fn(root), x); }

#if defined(RICCI_TEST_FULL)  // these take the compiler half a minute
TEST_CASE("derivatives of what solves equations there") {
  auto const fixed = [](auto a) { return rc::fixed_point([=](auto r) { return .5 * (r + a / r); }, rc::ones_like(a)); };
  auto const solved = [](auto a, auto b) {
    return rc::custom_linear_solve([=](auto v) { return 3. * v + a * rc::sum(v); }, b);
  };
  check_there(rc::grad([=](auto a) { return rc::sum(root(a) * fixed(a)); }), x);
  check_there(rc::grad([=](auto a, auto b) { return rc::sum(rc::square(solved(a, b))); }), x, y);
  auto const decay = [](auto k) {
    auto const ys = rc::odeint([=](auto s, auto) { return -k * s; }, rc::ones_like(k), rc::tensor<double, 2>{0, 1});
    return rc::sum(ys(-1));
  };
  check_there(rc::grad(decay), x);
}
#endif
