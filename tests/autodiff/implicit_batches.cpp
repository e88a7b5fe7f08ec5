// Roots of batches, and batches of their derivatives.
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
}  // namespace

TEST_CASE("roots of batches, and batches of derivatives") {
  rc::tensor<double, 3> const a{1, 8, 27};
  CHECK(numbers(rc::vmap(cube_root)(a)).near({1, 2, 3}, 1e-12));
  CHECK(numbers(rc::vmap(rc::grad(cube_root))(a)).near({1. / 3, 1. / 12, 1. / 27}, 1e-12));
  auto const together = [](auto all) { return rc::sum(rc::vmap(cube_root)(all)); };
  CHECK(numbers(rc::grad(together)(a)).near({1. / 3, 1. / 12, 1. / 27}, 1e-12));
  double const s8 = -2. / 9 * std::pow(8., -5. / 3), s27 = -2. / 9 * std::pow(27., -5. / 3);
  CHECK(numbers(rc::hessian(together)(a)).near({-2. / 9, 0, 0, 0, s8, 0, 0, 0, s27}, 1e-12));
  rc::ndarray<double, 1> const open = a;
  CHECK(numbers(rc::grad(together)(open)).near({1. / 3, 1. / 12, 1. / 27}, 1e-12));
}
