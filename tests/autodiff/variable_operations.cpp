// One statement over a variable has the gradient of the same function, for operations of every kind: what is kept
// beside the value, what is computed again, and what has a loop of its own.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class F>
void check(F const& f) {
  rc::ndarray<double, 2> x(4, 3);
  for (int k = 0; k < 12; ++k) x(k / 3, k % 3) = 1.5 + std::sin(1. + 5 * k);
  rc::tape tape;
  auto v = tape.variable(x);
  rc::variable y = f(v);
  y.backward();
  auto const [value, gradient] = rc::value_and_grad(f)(x);
  CHECK(double(y) == doctest::Approx(double(value)).epsilon(1e-13));
  CHECK(numbers(v.grad()).near(numbers(gradient), 1e-12));
}

}  // namespace

TEST_CASE("reductions and products") {
  check([](auto const& x) { return rc::sum(rc::square(x / rc::sum(x, rc::axis<0>))); });
  check([](auto const& x) { return rc::prod(rc::log(rc::prod(x, rc::axis<1>) + 5.)); });
  check([](auto const& x) { return rc::sum(rc::tanh(rc::matmul(rc::matmul(x, x.T()), rc::exp(-x)))); });
  check([](auto const& x) { return rc::logsumexp(rc::einsum<"ij,kj->ik">(x, x)); });
}
TEST_CASE("joins, choices, scans, orders") {
  check([](auto const& x) { return rc::sum(rc::square(rc::concat(x * x, rc::sin(x)))); });
  check([](auto const& x) { return rc::sum(rc::where(x > 1.5, rc::log(x), x * x)); });
  check([](auto const& x) { return rc::sum(rc::square(rc::cumulative_sum(x * x, rc::axis<0>))); });
  check([](auto const& x) { return rc::sum(rc::cumulative_prod(x, rc::axis<1>) * rc::flip(x)); });
  check([](auto const& x) { return rc::sum(rc::sort(x * x, rc::axis<0>) * x); });
}
