// A derivative is the same where nothing is optimised as where everything is: it is C++ as its function is, and no pass
// of a compiler makes it. This program is also compiled at -O0 and at -O2 (tests/CMakeLists.txt), and its results are
// compared with references/make.py's each time.
#include <doctest/doctest.h>

#include "references.hpp"

namespace rc = ricci;

namespace {

// a product, functions, a branch and a loop that carries what it computes
constexpr auto f = [](auto x, auto w) {
  auto const h = rc::tanh(rc::matmul(w, x)) / rc::sqrt(1. + x * x);
  auto const walk = [](auto s, auto e) {
    auto const next = rc::where(e > 0., s * rc::exp(-e), s + rc::sin(e));
    return std::pair(next, next * e);
  };
  auto const [last, all] = rc::scan(walk, 1., h);
  return last * last + rc::sum(all);
};

}  // namespace

TEST_CASE("a gradient and a product with the hessian at every level of optimisation") {
  rc::tensor<double, 5> const x{.3, -.7, 1.1, -.2, .9};
  rc::tensor<double, 5, 5> w;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) w(i, j) = x((2 * i + 3 * j) % 5) - .1 * i;
  double const to_rounding = 4e-15;
  CHECK(numbers(rc::grad(f)(x, w)).near(numbers_of(reference::walk_gradient), to_rounding));
  CHECK(numbers(rc::hvp(f)(x, w, x)).near(numbers_of(reference::walk_hvp), to_rounding));
}
