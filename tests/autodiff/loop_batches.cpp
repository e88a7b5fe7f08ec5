// Batches of fori_loop and while_loop: of their carries, their bounds, and of what their bodies read.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../counted_loops.hpp"

namespace rc = ricci;
using namespace counted_loops;

namespace {

using vector = rc::tensor<double, 3>;
vector const x{.5, -1, 2};

}  // namespace

TEST_CASE("batches: of carries, of bounds, of what is captured") {
  rc::tensor<double, 4> const a{2, 1, 9, 100};
  auto const [roots, counts] = rc::vmap(newton)(a);
  auto const [same, counted] = rc::interpret(rc::vmap(newton))(a);
  for (int k = 0; k < 4; ++k) {
    CHECK(roots(k) == doctest::Approx(std::sqrt(a(k))));
    CHECK(counts(k) == newton_steps(a(k)));
    CHECK(counted(k) == counts(k));
  }
  auto const slopes = rc::vmap(rc::jacfwd(root))(a);
  auto const all = std::get<1>(rc::jvp(rc::vmap(root))(a)(rc::tensor<double, 4>{1, 1, 1, 2}));
  CHECK(numbers(slopes).near({.5 / std::sqrt(2.), 1, 1. / 6, .05}, 1e-9));
  CHECK(numbers(all).near({.5 / std::sqrt(2.), 1, 1. / 6, .1}, 1e-9));
  rc::tensor<double, 2, 2> const table{{2, 1}, {9, 100}};
  auto const square = rc::vmap(rc::vmap(root))(table);
  CHECK(numbers(square).near({std::sqrt(2.), 1, 3, 10}, 1e-12));
  CHECK(numbers(rc::vmap(rc::vmap(rc::jacfwd(root)))(table)).near({.5 / std::sqrt(2.), 1, 1. / 6, .05}, 1e-9));

  rc::tensor<int, 4> const n{5, 0, 3, 9};
  constexpr auto u = rc::unbatched;
  auto const by_bound = rc::vmap(steps, rc::in_axes<u, 0, u>)(x, n, .3);
  auto const by_hand_of = [](auto const& y, int row, double at, int count, double c) {
    CHECK(y(row, 0) == doctest::Approx(by_hand(at, count, c)));
  };
  for (int k = 0; k < 4; ++k) by_hand_of(by_bound, k, .5, n(k), .3);
  rc::tensor<double, 4> const c{.1, .2, .3, .4};
  auto const by_captured = rc::vmap(steps, rc::in_axes<u, u, 0>)(x, 6, c);
  for (int k = 0; k < 4; ++k) by_hand_of(by_captured, k, .5, 6, c(k));
  rc::tensor<double, 4, 3> xs{};
  for (int k = 0; k < 12; ++k) xs(k / 3, k % 3) = .1 * (k - 5);
  auto const by_carry = rc::vmap(steps, rc::in_axes<0, u, u>)(xs, 6, .3);
  for (int k = 0; k < 4; ++k) by_hand_of(by_carry, k, xs(k, 0), 6, .3);
  auto const by_all = rc::vmap(steps)(xs, n, c);
  auto const interpreted = rc::interpret(rc::vmap(steps))(xs, n, c);
  for (int k = 0; k < 4; ++k)
    by_hand_of(by_all, k, xs(k, 0), n(k), c(k)), by_hand_of(interpreted, k, xs(k, 0), n(k), c(k));
  rc::ndarray<double, 1> const open = a;
  CHECK(numbers(rc::vmap(root)(open)).near({std::sqrt(2.), 1, 3, 10}, 1e-12));
  CHECK(shape_of(rc::vmap(root)(rc::ndarray<double, 1>(0))) == numbers{0});
}
