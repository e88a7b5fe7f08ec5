// What systems of equations define, and equations within loops, and their derivatives.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// of a system: x + tanh(m x) = b
constexpr auto system_root = [](auto m, auto b) {
  return rc::custom_root([=](auto x) { return x + rc::tanh(rc::matmul(m, x)) - b; }, b);
};
rc::tensor<double, 2, 2> const m{{.3, -.2}, {.5, .1}};
rc::tensor<double, 2> const b{.7, -.4};

}  // namespace

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

TEST_CASE("roots of systems of which one part is a batch") {
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
