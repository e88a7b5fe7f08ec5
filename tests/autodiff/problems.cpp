// Problems with known derivatives, as the literature on differentiation uses them: compared with formulas derived by
// hand, and with differences where the formula would be the program once more.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

rc::ndarray<double, 1> points(int n, double from, double by) {
  rc::ndarray<double, 1> x(n);
  for (int i = 0; i < n; ++i) x(i) = from + by * std::sin(3. * i);
  return x;
}
rc::ndarray<double, 2> table(int m, int n, double scale) {
  rc::ndarray<double, 2> t(m, n);
  for (int i = 0; i < m * n; ++i) t.data()[i] = scale * std::sin(1. + 2.7 * i);
  return t;
}

}  // namespace

// Rosenbrock, An automatic method for finding the greatest or least value of a function (1960), in n dimensions
TEST_CASE("Rosenbrock: gradient, product with the Hessian, and the minimum by Newton's method in two dimensions") {
  auto const f = [](auto x) {
    auto const n = x.shape(0);
    auto const a = x(rc::range(0, n - 1)), b = x(rc::range(1, n));
    return rc::sum(100. * rc::square(b - a * a) + rc::square(1. - a));
  };
  auto const x = points(7, 0.5, 1);
  auto const g = rc::grad(f)(x);
  for (int i = 0; i < 7; ++i) {
    double want = 0;
    if (i < 6) want += -400 * x(i) * (x(i + 1) - x(i) * x(i)) - 2 * (1 - x(i));
    if (i > 0) want += 200 * (x(i) - x(i - 1) * x(i - 1));
    CHECK(g(i) == doctest::Approx(want));
  }
  auto const t = points(7, 0, 1);
  auto const [same, ht] = rc::jvp(rc::grad(f))(x)(t);
  for (int i = 0; i < 7; ++i) {
    double want = 0;
    if (i < 6) want += (1200 * x(i) * x(i) - 400 * x(i + 1) + 2) * t(i) - 400 * x(i) * t(i + 1);
    if (i > 0) want += 200 * t(i) - 400 * x(i - 1) * t(i - 1);
    CHECK(ht(i) == doctest::Approx(want));
  }
  rc::ndarray<double, 1> y{-1.2, 1};
  rc::ndarray<double, 1> const e0{1, 0}, e1{0, 1};
  for (int k = 0; k < 8; ++k) {
    auto const [gy, h0] = rc::jvp(rc::grad(f))(y)(e0);
    auto const h1 = rc::jvp(rc::grad(f))(y)(e1).second;
    double const det = h0(0) * h1(1) - h0(1) * h1(0);
    rc::ndarray<double, 1> const newton{(h1(1) * gy(0) - h1(0) * gy(1)) / det, (h0(0) * gy(1) - h0(1) * gy(0)) / det};
    y -= newton;
  }
  CHECK(numbers(y).near({1, 1}, 1e-9));
}

// Speelpenning, Compiling fast partial derivatives of functions given by algorithms (1980): the product of all
// variables
TEST_CASE("Speelpenning's product: as a reduction and as a loop, also with zeros") {
  auto const reduction = [](auto x) { return rc::prod(x); };
  auto const loop = [](auto x) {
    auto p = x(0) * 1.;
    for (int i = 1; i < 6; ++i) p = p * x(i);
    return p;
  };
  auto const check = [&](rc::tensor<double, 6> const& x) {
    auto const a = rc::grad(reduction)(x), b = rc::grad(loop)(x);
    for (int i = 0; i < 6; ++i) {
      double want = 1;
      for (int k = 0; k < 6; ++k) want *= k == i ? 1 : x(k);
      CHECK(a(i) == doctest::Approx(want));
      CHECK(b(i) == doctest::Approx(want));
    }
  };
  check({1, 2, 3, 4, 5, 6});
  check({1, 2, 0, 4, 5, 6});
  check({1, 0, 3, 4, 0, 6});
}

TEST_CASE("a time loop: the derivative of an end point by its start and its rate") {
  // y' = -r y by 20 explicit steps: y = y0 (1 - r h)^20
  auto const euler = [](auto y, auto r) {
    for (int k = 0; k < 20; ++k) y = y - 0.01 * r * y;
    return y;
  };
  auto const [dy, dr] = rc::grad<0, 1>(euler)(2., 0.5);
  CHECK(double(dy) == doctest::Approx(std::pow(0.995, 20)));
  CHECK(double(dr) == doctest::Approx(-0.4 * std::pow(0.995, 19)));
  CHECK(double(rc::jvp(euler)(2., 0.5)(0., 1.).second) == doctest::Approx(double(dr)));
  // the pendulum, by the midpoint rule, which is symplectic: the map has determinant 1
  auto const pendulum = [](auto s) {
    for (int k = 0; k < 10; ++k) {
      auto const half = s(0) + 0.05 * s(1);
      auto const v = s(1) - 0.1 * rc::sin(half);
      s(0) = half + 0.05 * v;
      s(1) = v;
    }
    return s;
  };
  rc::tensor<double, 2> const start{1, 0.3};
  auto const a = rc::jvp(pendulum)(start)(rc::tensor<double, 2>{1, 0}).second;
  auto const b = rc::jvp(pendulum)(start)(rc::tensor<double, 2>{0, 1}).second;
  CHECK(a(0) * b(1) - a(1) * b(0) == doctest::Approx(1));
  auto const [end, pull] = rc::vjp(pendulum)(start);
  auto const [row] = pull(rc::tensor<double, 2>{1, 0});
  CHECK(numbers(row).near({a(0), b(0)}));
}

TEST_CASE("Newton's iteration for a root: the derivative of its result is that of the implicit function") {
  auto const root = [](auto a) {
    auto y = 0. * a + 1.;
    for (int k = 0; k < 8; ++k) y = y - (y * y * y - a) / (3. * y * y);
    return y;
  };
  for (double a : {0.5, 2., 10.}) {
    CHECK(double(rc::fn(root)(a)) == doctest::Approx(std::cbrt(a)));
    CHECK(double(rc::grad(root)(a)) == doctest::Approx(1 / (3 * std::pow(std::cbrt(a), 2))));
    CHECK(double(rc::grad(rc::grad(root))(a)) == doctest::Approx(-2. / 9 * std::pow(a, -5. / 3)).epsilon(1e-8));
  }
}

TEST_CASE("determinants and inverses of small matrices by elimination") {
  auto const log_det = [](auto m) {
    auto s = rc::log(m(0, 0));
    for (int k = 0; k < 3; ++k) {
      for (int i = k + 1; i < 4; ++i) m(i) = m(i) - m(i, k) / m(k, k) * m(k);
      s = s + rc::log(m(k + 1, k + 1));
    }
    return s;
  };
  rc::tensor<double, 4, 4> const a = table(4, 4, 0.3) + 2. * rc::eye<double>(4);
  // the gradient of log det is the transposed inverse
  auto const g = rc::grad(log_det)(a);
  CHECK(numbers(rc::eval(rc::matmul(a, g.T()))).near(numbers(rc::eye<double>(4))));
}
