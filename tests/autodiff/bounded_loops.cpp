// Reverse mode of loops of a number of iterations that is a value, by rc::at_most.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../bounded_loops.hpp"

namespace rc = ricci;
using namespace bounded_loops;

TEST_CASE("reverse mode of a number of iterations that is a value") {
  check_near(rc::fn(bounded)(x, w, .7, 4), rc::fn(unrolled)(x, w, .7));
  check_near(rc::interpret(bounded)(x, w, .7, 4), rc::fn(unrolled)(x, w, .7));
  check_near(rc::grad<0, 1, 2>(bounded)(x, w, .7, 4), rc::grad<0, 1, 2>(unrolled)(x, w, .7));
  check_near(rc::interpret(rc::grad<0, 1, 2>(bounded))(x, w, .7, 4), rc::grad<0, 1, 2>(unrolled)(x, w, .7));
  check_near(rc::hessian<1>(bounded)(x, w, .7, 4), rc::hessian<1>(unrolled)(x, w, .7));
  auto const [of_x, of_w, of_c, of_n] = std::get<1>(rc::vjp(bounded)(x, w, .7, 4))(2.);
  check_near(std::tuple(of_x, of_w, of_c), std::get<1>(rc::vjp(unrolled)(x, w, .7))(2.));
  check_near(std::get<0>(rc::grad<0, 2>(bounded)(x, w, .7, -1)), rc::eval(2. * x));
  check_near(rc::grad(root)(2.), rc::tensor<double>{.5 / std::sqrt(2.)}, 1e-9);
  check_near(rc::interpret(rc::grad(root))(2.), rc::tensor<double>{.5 / std::sqrt(2.)}, 1e-9);
  check_near(rc::grad(rc::grad(root))(2.), rc::tensor<double>{-.25 * std::pow(2., -1.5)}, 1e-8);
  check_near(rc::grad(root)(1.), rc::tensor<double>{1});
  // a loop of values that do not depend on what is derived by needs no bound
  auto const times_factorial = [](auto a, auto k) {
    return a * rc::fori_loop(
                   0, k, [](auto i, auto f) { return f * (i + 1); }, 1.);
  };
  check_near(rc::grad(times_factorial)(2., 5), rc::tensor<double>{120});
  rc::tensor<double, 3> const a{2, 1, 9};
  check_near(rc::vmap(root)(a), rc::tensor<double, 3>{std::sqrt(2.), 1, 3});
  check_near(rc::vmap(rc::grad(root))(a), rc::tensor<double, 3>{.5 / std::sqrt(2.), 1, 1. / 6}, 1e-9);
  auto const all = [](auto v) { return rc::sum(rc::vmap(root)(v)); };
  check_near(rc::grad(all)(a), rc::tensor<double, 3>{.5 / std::sqrt(2.), 1, 1. / 6}, 1e-9);
  constexpr auto u = rc::unbatched;
  auto const many = rc::vmap(rc::grad<2>(bounded), rc::in_axes<u, u, u, 0>)(x, w, .7, rc::tensor<int, 3>{4, 0, 6});
  CHECK(many(0) == doctest::Approx(rc::grad<2>(unrolled)(x, w, .7).item()));
  CHECK(many(1) == doctest::Approx(std::cos(.7)));
  CHECK(many(2) == doctest::Approx(rc::grad<2>(bounded)(x, w, .7, 6).item()));
}
