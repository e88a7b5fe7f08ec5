// Unknowns and right-hand sides of equations that are trees, with a matrix and without one.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class Kind = rc::values>
struct two_parts {
  rc::field<Kind, double, 2> x;
  rc::field<Kind, double> y;
};
// 3 x = a + y, 4 y = 1 - x0 - x1: y = (3 - a0 - a1) / 14
constexpr auto equation = [](auto a) {
  return [=](auto p) {
    auto r = p;
    r.x = 3. * p.x - p.y - a;
    r.y = 4. * p.y + rc::sum(p.x) - 1.;
    return r;
  };
};
// f(x) = 0 and g(x) = y by steps against what is left
constexpr auto descend = [](auto f, auto x0) {
  return rc::fori_loop(
      0, 80,
      [=](auto, auto x) { return rc::tree_map([](auto const& u, auto const& v) { return u - .25 * v; }, x, f(x)); },
      x0);
};
constexpr auto tangent_solve = [](auto g, auto y) {
  auto const rest = [=](auto x) { return rc::tree_map([](auto const& u, auto const& v) { return u - v; }, g(x), y); };
  return descend(rest, rc::zeros_like(y));
};
constexpr auto product = [](auto const& p) { return p.x(0) * p.x(0) * p.y; };
constexpr auto by_newton = [](auto a, auto start) { return product(rc::custom_root(equation(a), start)); };
constexpr auto without_matrix = [](auto a, auto start) {
  return product(rc::custom_root(equation(a), start, descend, tangent_solve));
};
rc::tensor<double, 2> const a{2, -.5};
two_parts<> const start{{1, 1}, 0.};

}  // namespace

TEST_CASE("a root that is a record, by Newton's method and by a solve of one's own") {
  // y = (3 - a0 - a1) / 14, x0 = (a0 + y) / 3, and derivatives of x0^2 y
  double const y = (3 - a(0) - a(1)) / 14, x = (a(0) + y) / 3, dy = -1. / 14, dx[] = {(1 + dy) / 3, dy / 3};
  numbers gradient{}, second{};
  for (double const one : dx) {
    gradient.push(2 * x * y * one + x * x * dy);
    for (double const other : dx) second.push(2 * y * one * other + 2 * x * (one + other) * dy);
  }
  CHECK(numbers(rc::grad(without_matrix)(a, start)).near(gradient, 1e-12));
  CHECK(numbers(rc::interpret(rc::hessian(without_matrix))(a, start)).near(second, 1e-11));
  CHECK(rc::interpret(by_newton)(a, start).item() == doctest::Approx(x * x * y).epsilon(1e-13));
}

TEST_CASE("a linear solve of a tuple of run-time extents, whose matrix is not symmetric") {
  // 2 u + v = b, 3 v - k u = c, element by element
  auto const solved = [](auto k, auto b, auto c) {
    auto const matvec = [=](auto p) {
      auto const& [u, v] = p;
      return std::tuple(2. * u + v, 3. * v - k * u);
    };
    auto const transposed = [](auto vecmat, auto ct) { return tangent_solve(vecmat, ct); };
    auto const [u, v] = rc::custom_linear_solve(matvec, std::tuple(b, c), tangent_solve, transposed);
    return rc::sum(u * v);
  };
  rc::ndarray<double, 1> const b = rc::linspace<double>(1, 2, 3), c = rc::linspace<double>(-1, 1, 3);
  auto const [by_k, by_b, by_c] = rc::grad<0, 1, 2>(solved)(.5, b, c);
  // u = (3 b - c) / (6 + k), v = b - 2 u
  double dk = 0;
  numbers db{}, dc{};
  for (int i = 0; i < 3; ++i) {
    double const u = (3 * b(i) - c(i)) / 6.5, of_u = b(i) - 4 * u;
    dk -= of_u * u / 6.5;
    db.push(of_u * 3 / 6.5 + u), dc.push(-of_u / 6.5);
  }
  CHECK(by_k.item() == doctest::Approx(dk).epsilon(1e-11));
  CHECK(numbers(by_b).near(db, 1e-11));
  CHECK(numbers(by_c).near(dc, 1e-11));
}

TEST_CASE("a fixed point of a tuple") {
  // x = cos(y), y = sin(x) / 2
  auto const f = [](auto s) { return std::tuple(rc::cos(std::get<1>(s)), rc::sin(std::get<0>(s)) * .5); };
  auto const [x, y] = rc::fixed_point(f, std::tuple(1., 0.));
  CHECK(x.item() == doctest::Approx(std::cos(y.item())).epsilon(1e-13));
  CHECK(y.item() == doctest::Approx(std::sin(x.item()) / 2).epsilon(1e-13));
}
