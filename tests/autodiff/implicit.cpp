// What equations define: roots, fixed points, solutions of linear systems, and their derivatives, against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/autodiff/custom_root.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto cube_root = [](auto a) {
  return rc::custom_root([=](auto x) { return x * x * x - a; }, rc::ones_like(a));
};
// of a system: x + tanh(m x) = b
constexpr auto system_root = [](auto m, auto b) {
  return rc::custom_root([=](auto x) { return x + rc::tanh(rc::matmul(m, x)) - b; }, b);
};
rc::tensor<double, 2, 2> const m{{.3, -.2}, {.5, .1}};
rc::tensor<double, 2> const b{.7, -.4};

}  // namespace

TEST_CASE("a root of one equation: derivatives of every order, in both modes, compiled and interpreted") {
  CHECK(rc::fn(cube_root)(8.).item() == doctest::Approx(2).epsilon(1e-12));
  CHECK(rc::grad(cube_root)(8.).item() == doctest::Approx(1. / 12).epsilon(1e-12));
  double const second = -2. / 9 * std::pow(8., -5. / 3), third = 10. / 27 * std::pow(8., -8. / 3);
  CHECK(rc::grad(rc::grad(cube_root))(8.).item() == doctest::Approx(second).epsilon(1e-12));
  CHECK(rc::grad(rc::grad(rc::grad(cube_root)))(8.).item() == doctest::Approx(third).epsilon(1e-12));
  CHECK(std::get<1>(rc::jvp(cube_root)(8.)(2.)).item() == doctest::Approx(1. / 6).epsilon(1e-12));
  CHECK(std::get<1>(rc::jvp(rc::grad(cube_root))(8.)(1.)).item() == doctest::Approx(second).epsilon(1e-12));
  CHECK(rc::interpret(cube_root)(8.).item() == rc::fn(cube_root)(8.).item());
  CHECK(rc::interpret(rc::grad(rc::grad(cube_root)))(8.).item() == doctest::Approx(second).epsilon(1e-12));
  auto const [y, pull] = rc::vjp(cube_root)(27.);
  CHECK(y.item() == doctest::Approx(3));
  CHECK(std::get<0>(pull(2.)).item() == doctest::Approx(2. / 27).epsilon(1e-12));
  CHECK(rc::grad(cube_root)(8.F).item() == doctest::Approx(1. / 12).epsilon(1e-5));
}

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
  // the matrix is the same for all, the right sides are a batch
  rc::ndarray<double, 2> rights(3, 2);
  for (int k = 0; k < 6; ++k) rights(k / 2, k % 2) = .3 * k - .5;
  auto const total = [](auto k, auto all) {
    return rc::sum(rc::square(rc::vmap(system_root, rc::in_axes<rc::unbatched, 0>)(k, all)));
  };
  auto const one = [](auto k, auto r) { return rc::sum(rc::square(system_root(k, r))); };
  rc::tensor<double, 2, 2> by_matrix{};
  auto const [dk, dr] = rc::grad<0, 1>(total)(m, rights);
  for (int i = 0; i < 3; ++i) {
    auto const [ek, er] = rc::grad<0, 1>(one)(m, rc::eval(rights(i) + 0.));
    by_matrix += ek;
    CHECK(numbers(dr(i)).near(numbers(er), 1e-10));
  }
  CHECK(numbers(dk).near(numbers(by_matrix), 1e-10));
}

TEST_CASE("a root of a system, by all that its function captures") {
  auto const x = rc::fn(system_root)(m, b);
  CHECK(numbers(rc::eval(x + rc::tanh(rc::matmul(m, x)))).near(numbers(b), 1e-12));
  auto const f = [](auto k, auto r) {
    auto const y = system_root(k, r);
    return rc::sum(y * y * y);
  };
  auto const [dm, db] = rc::grad<0, 1>(f)(m, b);
  auto const differences = [&](auto of, auto at, auto const& with) {
    numbers all{};
    for (int k = 0; k < int(at.size()); ++k) {
      double const h = 1e-5, old = at.data()[k];
      at.data()[k] = old + h;
      double const up = with(at);
      at.data()[k] = old - h;
      all.push((up - with(at)) / (2 * h));
      at.data()[k] = old;
    }
    CHECK(numbers(of).near(all, 1e-7));
  };
  differences(dm, m, [&](auto const& at) { return rc::fn(f)(at, b).item(); });
  differences(db, b, [&](auto const& at) { return rc::fn(f)(m, at).item(); });
  auto const slope = [f](auto k, auto r) { return rc::sum(rc::grad(f)(k, r) * k); };
  differences(rc::grad(slope)(m, b), m, [&](auto const& at) { return rc::fn(slope)(at, b).item(); });
}

TEST_CASE("fixed points and linear systems") {
  // x = cos(a x): dx = -sin(a x) x / (1 + a sin(a x)) da
  auto const f = [](auto a) { return rc::fixed_point([=](auto x) { return rc::cos(a * x); }, 1.); };
  double const x = rc::fn(f)(1.).item();
  CHECK(x == doctest::Approx(.7390851332151607).epsilon(1e-12));
  CHECK(rc::grad(f)(1.).item() == doctest::Approx(-std::sin(x) * x / (1 + std::sin(x))).epsilon(1e-12));
  auto const linear = [](auto k, auto r) {
    return rc::custom_linear_solve([=](auto v) { return v + rc::matmul(k, v); }, r);
  };
  auto const direct = [](auto k, auto r) { return rc::linalg::solve(k + rc::eye<double>(rc::extents<2, 2>{}), r); };
  auto const total = [](auto g) { return [g](auto k, auto r) { return rc::sum(rc::square(g(k, r))); }; };
  CHECK(numbers(rc::fn(linear)(m, b)).near(numbers(rc::fn(direct)(m, b)), 1e-12));
  auto const [dk, dr] = rc::grad<0, 1>(total(linear))(m, b);
  auto const [ek, er] = rc::grad<0, 1>(total(direct))(m, b);
  CHECK(numbers(dk).near(numbers(ek), 1e-12));
  CHECK(numbers(dr).near(numbers(er), 1e-12));
  CHECK(numbers(rc::hessian(total(linear))(m, b)).near(numbers(rc::hessian(total(direct))(m, b)), 1e-10));
  CHECK(
      numbers(std::get<1>(rc::jvp(linear)(m, b)(m, b))).near(numbers(std::get<1>(rc::jvp(direct)(m, b)(m, b))), 1e-12));
}
