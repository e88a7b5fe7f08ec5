// Searches for roots and fixed points that do not come to an end.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

TEST_CASE("a search that does not come to an end is an error with its steps and what was left") {
  auto const none = [](auto a) { return rc::custom_root([=](auto x) { return x * x + a; }, rc::ones_like(a)); };
  auto const message = "custom_root: has not converged after 25 steps, where the residual is 2.00e0";
  CHECK_THROWS_WITH_AS(rc::grad(none)(2.), message, rc::value_error);
  CHECK_THROWS_WITH_AS(rc::interpret(none)(2.), message, rc::value_error);
  CHECK_THROWS_WITH_AS(rc::vmap(none)(rc::tensor<double, 2>{-4, 2}), message, rc::value_error);
  CHECK_THROWS_WITH_AS(rc::custom_root([](auto x) { return x * x - 2e6; }, 1., {.max_steps = 3}),
                       "custom_root: has not converged after 3 steps, where the residual is 2.00e6", rc::value_error);
  CHECK_THROWS_AS(rc::fixed_point([](auto x) { return 2. * x; }, 1.), rc::value_error);
  CHECK(numbers(rc::custom_root([](auto x) { return x * x - 2.; }, rc::tensor<float, 2>{1, -1}))
            .near({1.41421356, -1.41421356}, 1e-6));
}
