// Linear solves and roots whose derivatives are solves of the user's, without a matrix: here by conjugate gradients,
// of which one has so many unknowns that its matrix would take 800 MB.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

// -x'' + a x, where x is 0 beyond both ends
constexpr auto laplacian = [](auto a, auto x) {
  auto y = (2. + a) * x;
  y(rc::range(1, rc::end)) -= x(rc::range(0, -1));
  y(rc::range(0, -1)) -= x(rc::range(1, rc::end));
  return y;
};
constexpr auto conjugate_gradients = [](auto matvec, auto b) {
  auto const last = rc::while_loop([](auto const& s) { return (std::get<3>(s) > 1e-24) & (std::get<4>(s) < 1000); },
                                   [=](auto const& s) {
                                     auto const& [x, r, p, size, count] = s;
                                     auto const q = matvec(p);
                                     auto const step = size / rc::sum(p * q);
                                     auto const rest = r - step * q;
                                     auto const next = rc::sum(rest * rest);
                                     return std::tuple(x + step * p, rest, rest + next / size * p, next, count + 1);
                                   },
                                   std::tuple(rc::zeros_like(b), b, b, rc::sum(b * b), 0));
  return std::get<0>(last);
};
constexpr auto loss = [](auto a, auto b) {
  auto const matvec = [=](auto x) { return laplacian(a, x); };
  return rc::sum(rc::square(rc::custom_linear_solve(matvec, b, conjugate_gradients, rc::symmetric)));
};

}  // namespace

TEST_CASE("a linear solve by conjugate gradients: derivatives of both orders, in both modes, of 10000 unknowns") {
  rc::index_t const n = 10000;
  rc::ndarray<double, 1> const t = rc::linspace<double>(0, 30, n);
  rc::ndarray<double, 1> const a = 1.5 + .5 * rc::cos(t), b = rc::sin(.7 * t), da = rc::cos(3. * t), db = a * b;
  double const h = 2e-5;
  rc::ndarray<double, 1> const up = a + h * da, down = a - h * da, b_up = b + h * db, b_down = b - h * db;
  auto const tangent = rc::jvp(loss);
  auto const [value, change] = tangent(a, b)(da, db);
  double const above = std::get<0>(tangent(up, b_up)(da, db)).item(),
               below = std::get<0>(tangent(down, b_down)(da, db)).item();
  CHECK(change.item() == doctest::Approx((above - below) / (2 * h)).epsilon(1e-8));
  auto const both = rc::jvp(rc::grad<0, 1>(loss));
  auto const [gradients, second] = both(a, b)(da, db);
  auto const& [by_a, by_b] = gradients;
  CHECK(rc::eval(rc::sum(by_a * da + by_b * db)).item() == doctest::Approx(change.item()).epsilon(1e-10));
  auto const [a_above, b_above] = std::get<0>(both(up, b_up)(da, db));
  auto const [a_below, b_below] = std::get<0>(both(down, b_down)(da, db));
  auto const off = [h](auto const& of, auto const& high, auto const& low) {
    return rc::eval(rc::max(rc::abs(of - (high - low) / (2. * h)))).item();
  };
  CHECK(off(std::get<0>(second), a_above, a_below) < 1e-7);
  CHECK(off(std::get<1>(second), b_above, b_below) < 1e-7);
}

TEST_CASE("a linear solve of one's own in a batch, and interpreted, as the one with a matrix") {
  auto const by_matrix = [](auto a, auto b) {
    return rc::sum(rc::square(rc::custom_linear_solve([=](auto x) { return laplacian(a, x); }, b)));
  };
  rc::tensor<double, 2, 3> const a{{.5, 1, 2}, {3, .2, 1}};
  rc::tensor<double, 3> const b{1, -2, .5};
  auto const own = rc::vmap(rc::grad(loss), rc::in_axes<0, rc::unbatched>)(a, b);
  for (int k = 0; k < 2; ++k) {
    rc::tensor<double, 3> const row = a(k);
    CHECK(numbers(own(k)).near(numbers(rc::interpret(rc::grad(by_matrix))(row, b)), 1e-10));
    CHECK(numbers(own(k)).near(numbers(rc::interpret(rc::grad(loss))(row, b)), 1e-10));
  }
}
