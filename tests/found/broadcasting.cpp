// Broadcasting that shows at run time. Extents that are only known then are equal, 1, 0 or do not go together;
// whichever it is, statements, functions, derivatives and batches agree with the interpreter, which knows every extent,
// and what does not go together is an error before anything is written. The numbers are those of the faults found
// first.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "raised.hpp"

namespace rc = ricci;
using vector = rc::ndarray<double, 1>;
using matrix = rc::ndarray<double, 2>;
using cube = rc::ndarray<double, 3>;

namespace {

template <class T>
T filled(int seed, auto... n) {
  T t(n...);
  double k = 0;
  for (double& x : t) x = 0.25 + std::sin(1.7 * ++k + seed);
  return t;
}

template <class A, class B>
bool same(A const& a, B const& b) {
  if (a.shape() != b.shape()) return false;
  for (rc::index_t k = 0; k < a.size(); ++k) {
    double const x = a.data()[k], y = b.data()[k];
    if (!(x == y || (x != x && y != y) || std::abs(x - y) <= 1e-12 * (1 + std::abs(y)))) return false;
  }
  return true;
}

// a call compiled and interpreted: the same value, or an error both times
template <class F, class... A>
void agrees(char const* what, F const& f, A const&... a) {
  decltype(f(a...)) compiled, interpreted;
  std::string const error = raised([&] { compiled = f(a...); });
  std::string const expected = raised([&] { interpreted = rc::interpret(f)(a...); });
  INFO(what << ": " << error << " / " << expected);
  CHECK(error.empty() == expected.empty());
  if (expected.empty()) CHECK(same(compiled, interpreted));
}

std::vector<int> const extents{0, 1, 3}, misfits{0, 1, 3, 4};

}  // namespace

TEST_CASE("01: of three extents two do not go together") {
  auto const sum = [](auto x, auto y, auto z) { return x + y * z; };
  for (auto a : misfits)
    for (auto b : misfits)
      for (auto c : misfits) {
        auto const x = filled<vector>(1, a), y = filled<vector>(2, b), z = filled<vector>(3, c);
        agrees("x + y * z", rc::fn(sum), x, y, z);
        vector statement, expected;
        std::string const error = raised([&] { statement = x + y * z; });
        CHECK(error == raised([&] { expected = rc::interpret(sum)(x, y, z); }));
        CHECK(same(statement, expected));
      }
  vector const x(3), y(1), z(4);
  CHECK(raised([&] { vector(x + y + z); }) == "shape_error: add: (3,) (4,)");
}

TEST_CASE("02: the target is an operand that is broadcast") {
  matrix a = rc::reshape(rc::arange<double>(6), rc::shape(3, 2));
  a = a - a(rc::range(0, 1));
  CHECK(same(a, matrix{{0, 0}, {2, 2}, {4, 4}}));
  a -= a(rc::range(2, 3));
  CHECK(same(a, matrix{{-4, -4}, {-2, -2}, {0, 0}}));
  matrix b{{1, 2}, {3, 4}, {5, 6}};
  b() = b(rc::range(0, 1)) * 2.;
  CHECK(same(b, matrix{{2, 4}, {2, 4}, {2, 4}}));
  matrix c{{1, 2}, {3, 4}, {5, 6}};
  rc::fn([](auto x, auto row) { return x - row; }).into(c)(c, c(rc::range(0, 1)));
  CHECK(same(c, matrix{{0, 0}, {2, 2}, {4, 4}}));
}

TEST_CASE("03: a flip or slice that is then broadcast") {
  vector const one = rc::full<double>(rc::shape(1), 7.), b = rc::arange<double>(5);
  CHECK(same(vector(rc::flip(one) + b), vector{7, 8, 9, 10, 11}));
  auto const f = [](auto x) { return x(rc::all, rc::range(-1)) + x; };
  auto const g = [](auto x) { return rc::flip(x, rc::axis<0>) * x(rc::range(0, 3, 2)); };
  auto const h = [](auto x) { return rc::sum(rc::flip(x, rc::axis<0>) * x(rc::range(0, 3, 2))); };
  for (auto n : {1, 2, 3}) agrees("x[:, :-1] + x", rc::fn(f), filled<matrix>(1, 3, n));
  for (auto n : {3, 4}) {
    agrees("flip * slice", rc::fn(g), filled<matrix>(1, n, 2));
    agrees("its gradient", rc::grad(h), filled<matrix>(1, n, 2));
  }
}

TEST_CASE("12: an extent that is broadcast to 3 here and to 2 there") {
  rc::tensor<double, 3> const r{1, 2, 3};
  rc::tensor<double, 2> const s{1, 2};
  auto const f = [](auto a, auto x, auto y) { return rc::sum(a * x) + rc::sum(a * y); };
  auto const g = [](auto p, auto x) { return rc::sum(p + x) + rc::sum(rc::squeeze(p, rc::axis<0>)); };
  vector const two = rc::full<double>(rc::shape(1), 2.), three(3);
  CHECK(rc::fn(f)(two, r, s).item() == 18);
  CHECK(same(rc::grad(f)(two, r, s), vector{9}));
  CHECK(rc::fn(g)(two, r).item() == 14);
  CHECK(raised([&] { rc::fn(f)(three, r, s); }).starts_with("shape_error"));
  CHECK(raised([&] { rc::fn(g)(three, r); }).starts_with("shape_error"));
}

TEST_CASE("13: nothing is broadcast to something smaller, and nothing is written") {
  vector const x = rc::arange<double>(3) + 5., one = rc::ones<double>(rc::shape(1));
  CHECK(raised([&] { vector(rc::broadcast_to(x, rc::shape(1))); }) == "shape_error: broadcast_to: (3,) (1,)");
  vector v{7};
  CHECK(raised([&] { v() = rc::broadcast_to(one, rc::shape(7)); }) == "shape_error: assignment: (1,) (7,)");
  CHECK(raised([&] { v() = x; }) == "shape_error: assignment: (1,) (3,)");
  CHECK(v(0) == 7);
  CHECK(same(vector(rc::broadcast_to(one, rc::shape(3)) + x), vector{6, 7, 8}));
  CHECK(vector(rc::broadcast_to(one, rc::shape(0))).size() == 0);
}

TEST_CASE("08, 26, 27: derivatives are summed over what was broadcast, and over that alone") {
  auto const product = [](auto p, auto q) { return rc::sum(rc::exp(p) * q * q); };
  auto const with_new_axis = [](auto p, auto q) { return rc::sum(rc::expand_dims(p, rc::axis<2>) * (p * q)); };
  auto const chain = [](auto p, auto q) {
    auto const h = rc::tanh(p + q);
    return rc::sum(rc::square(h - rc::mean(h, rc::axis<0>)) / (1. + rc::square(q)));
  };
  auto const with_batch = rc::vmap(rc::grad<1>([](auto p, auto q) { return rc::sum(p * q * q); }));
  for (auto a : extents)
    for (auto b : extents)
      for (auto c : misfits)
        for (auto d : extents) {
          auto const p = filled<matrix>(1, a, b), q = filled<matrix>(2, c, d);
          agrees("product by p", rc::grad<0>(product), p, q);
          agrees("chain by q", rc::grad<1>(chain), p, q);
          agrees("with a new axis by p", rc::grad<0>(with_new_axis), p, q);
          agrees("a batch", with_batch, filled<cube>(3, 2, a, b), filled<cube>(4, 2, c, d));
        }
}

TEST_CASE("08: a pullback of what was broadcast") {
  auto const f = [](auto x, auto y) { return x * y + x; };
  auto const whole = [](auto x, auto y) { return rc::sum(x * y + x); };
  for (auto a : extents)
    for (auto c : extents) {
      if (a != c && a != 1 && c != 1) continue;
      auto const p = filled<vector>(1, a), q = filled<vector>(2, c);
      auto const [value, pull] = rc::vjp(f)(p, q);
      auto const [gp, gq] = pull(rc::ones_like(value));
      CHECK(same(gp, rc::interpret(rc::grad<0>(whole))(p, q)));
      CHECK(same(gq, rc::interpret(rc::grad<1>(whole))(p, q)));
    }
}

TEST_CASE("26: one axis is known to be broadcast, another turns out to be") {
  rc::tensor<double, rc::dyn, 1> const column(300, 1);
  auto const f = [](auto q, auto p) { return rc::sum(p * q); };
  for (auto rows : {1, 300}) {
    auto const g = rc::grad(f)(column, matrix(rc::ones<double>(rc::shape(rows, 3))));
    CHECK(g(0, 0) == 3);
    CHECK(g(299, 0) == 3);
  }
}

TEST_CASE("26: sums behind a broadcast are as exact as others, on every axis, by any number of threads") {
  auto const f = [](auto p, auto q) { return rc::sum(p * q); };
  for (int threads : {1, 2, 3})
    for (auto [rows, columns] : {std::pair{1, 3}, {3, 1}, {1, 1}, {1, 40000}, {40000, 1}, {500, 1}, {1, 700}}) {
      rc::ndarray<float, 2> p = rc::ones<float>(rc::shape(rows, columns), rc::cpu{.threads = threads});
      rc::ndarray<float, 2> const q =
          rc::full<float>(rc::shape(rows == 1 ? 501 : rows, columns == 1 ? 701 : columns), .1f);
      auto const g = rc::grad(f)(p, q);
      auto const expected = .1f * float(q.size()) / float(p.size());
      float worst = 0;
      for (float x : g) worst = std::max(worst, std::abs(x - expected));
      CHECK(worst <= 2e-6f * expected);
    }
}

TEST_CASE("extents that are broadcast again and again are asked about once") {
  auto const f = [](auto x, auto y) {
    auto h = x * y;
    for (int k = 0; k < 100; ++k) h = rc::tanh(h + x) + y;
    return h;
  };
  for (auto [n, m] : {std::pair{4, 4}, {1, 4}, {4, 1}}) {
    auto const x = filled<vector>(1, n), y = filled<vector>(2, m);
    agrees("a long function", rc::fn(f), x, y);
  }
}

// Rows longer than the piece of them that is made of a repeated element.
TEST_CASE("columns that show at run time, beside long rows") {
  rc::index_t const m = 3;
  for (rc::index_t const n : {5, 128, 129, 300, 1025, 2500})
    for (int const threads : {1, 3}) {
      rc::ndarray<double, 2> const a = rc::reshape(rc::arange<double>(m * n), rc::shape(m, n));
      rc::ndarray<double, 2> const column = rc::reshape(7. * rc::arange<double>(m), rc::shape(m, 1));
      rc::ndarray<double, 1> const row = 3. * rc::arange<double>(n);
      rc::ndarray<double, 2> product = rc::zeros<double>(rc::shape(m, n), rc::cpu{.threads = threads}), sum = product;
      product = a * row + column;
      sum = a + column;
      bool right = true;
      for (rc::index_t i = 0; i < m; ++i)
        for (rc::index_t j = 0; j < n; ++j)
          right = right && product(i, j) == a(i, j) * row(j) + 7. * double(i) && sum(i, j) == a(i, j) + 7. * double(i);
      CHECK_MESSAGE(right, n);
    }
}
