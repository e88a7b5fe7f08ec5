// Jacobians and hessians: both ways agree with each other, with the interpreter and with formulas.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr auto swirl = [](auto x) { return rc::stack(x(0) * x(1), rc::sin(x(2)), x(0) + x(2), x(1) * x(1) * x(2)); };
constexpr auto quartic = [](auto x) { return rc::sum(rc::square(x * x)) + x(0) * x(1); };
rc::tensor<double, 3> const x{2, -1, 0.5};
rc::ndarray<double, 1> const dynamic{2, -1, 0.5};
numbers const of_swirl{-1, 2, 0, 0, 0, std::cos(0.5), 1, 0, 1, 0, -1, 1};

}  // namespace

TEST_CASE("a vector of a vector, both ways") {
  static_assert(std::is_same_v<decltype(rc::jacfwd(swirl)(x)), rc::tensor<double, 4, 3>>);
  static_assert(std::is_same_v<decltype(rc::jacrev(swirl)(x)), rc::tensor<double, 4, 3>>);
  CHECK(numbers(rc::jacfwd(swirl)(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacrev(swirl)(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacfwd(swirl)(dynamic)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacrev(swirl)(dynamic)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::interpret(rc::jacfwd(swirl))(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::interpret(rc::jacrev(swirl))(x)).near(of_swirl, 1e-14));
}

TEST_CASE("matrices by matrices, another argument, numbers") {
  auto const product = [](auto a, auto b) { return rc::matmul(a, b); };
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 3, 2> const b{{1, -1}, {2, 0.5}, {0, 3}};
  auto const forward = rc::jacfwd<1>(product)(a, b);
  static_assert(std::is_same_v<decltype(forward), rc::tensor<double, 2, 2, 3, 2> const>);
  CHECK(numbers(forward) == numbers(rc::jacrev<1>(product)(a, b)));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 2; ++l) CHECK(forward(i, j, k, l) == (j == l ? a(i, k) : 0.));
  // of one number, and by one
  CHECK(numbers(rc::jacrev(quartic)(x)).near(numbers(rc::grad(quartic)(x)), 1e-14));
  CHECK(numbers(rc::jacfwd(quartic)(x)).near(numbers(rc::grad(quartic)(x)), 1e-14));
  auto const scaled = [](auto t, auto y) { return rc::exp(t) * y; };
  CHECK(numbers(rc::jacfwd(scaled)(rc::tensor<double>(0.), x)).near(numbers(x), 1e-14));
}

TEST_CASE("hessians, and their products with vectors") {
  numbers const expected{12 * 4., 1, 0, 1, 12, 0, 0, 0, 3};
  static_assert(std::is_same_v<decltype(rc::hessian(quartic)(x)), rc::tensor<double, 3, 3>>);
  CHECK(numbers(rc::hessian(quartic)(x)).near(expected, 1e-14));
  CHECK(numbers(rc::hessian(quartic)(dynamic)).near(expected, 1e-14));
  CHECK(numbers(rc::jacrev(rc::grad(quartic))(x)).near(expected, 1e-14));
  rc::tensor<double, 3> const v{1, 10, 100};
  CHECK(numbers(rc::hvp(quartic)(x, v)).near(numbers{58, 121, 300}, 1e-13));
  CHECK(numbers(rc::interpret(rc::hvp(quartic))(x, v)).near(numbers{58, 121, 300}, 1e-13));
  // inside other transforms
  auto const trace = [](auto y) { return rc::sum(rc::hessian(quartic)(y) * rc::eye<double>(rc::extents<3, 3>{})); };
  CHECK(numbers(rc::grad(trace)(x)).near(numbers{48, -24, 12}, 1e-12));
  rc::tensor<double, 2, 3> const rows{{2, -1, 0.5}, {1, 1, 1}};
  auto const each = rc::vmap(rc::hessian(quartic))(rows);
  static_assert(std::is_same_v<decltype(each), rc::tensor<double, 2, 3, 3> const>);
  CHECK(numbers(rc::eval(each(0))).near(expected, 1e-14));
}

TEST_CASE("the function itself is computed once") {
  auto const f = [](auto y) { return rc::exp(y); };
  auto const c = rc::count(rc::jacfwd(f), rc::tensor<double, 20>{});
  CHECK(c.operations < 20 * 20 * 2 + 100);  // an exp for each element, and a product with the basis
}
