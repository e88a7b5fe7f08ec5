// Linear algebra against what NumPy and SciPy say (references.hpp); shapes, batches, strides and types; constants; what
// does not fit, and what cannot be factored.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include <ricci/any_tensor.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "matrices.hpp"
#include "references.hpp"

namespace rc = ricci;
namespace la = rc::linalg;

namespace {

rc::ndarray<double, 2> matrix_of(int m, int n) {
  rc::ndarray<double, 2> a(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = (i * 7 + j * 13 + i * j * 5) % 11 - 5 + (i == j ? 9 : 0);
  return a;
}
numbers expected(int m, int n, char const* what) {
  numbers x{};
  for (auto const& r : references)
    if (r.rows == m && r.columns == n && std::strcmp(r.what, what) == 0)
      x.values.assign(reference_values + r.from, reference_values + r.from + r.count);
  return x;
}
template <class... X>
numbers listed(X const&... x) {
  return numbers{double(rc::eval(x).item())...};
}
rc::tensor<double, 3, 3> const a{{4, 1, 2}, {1, 5, 3}, {2, 3, 6}};
rc::tensor<double, 3> const b{1, 2, 3};

}  // namespace

TEST_CASE("as NumPy and SciPy") {
  int found = 0;
  for (auto const& shape : {std::pair(1, 1), std::pair(2, 2), std::pair(3, 3), std::pair(5, 5), std::pair(9, 9),
                            std::pair(5, 3), std::pair(3, 5)}) {
    auto const [m, n] = shape;
    CAPTURE(m);
    CAPTURE(n);
    rc::ndarray<double, 2> const x = matrix_of(m, n);
    rc::ndarray<double, 1> y(m);
    for (int k = 0; k < m; ++k) y(k) = k * k - 3;
    auto const same = [&, rows = m, columns = n](char const* what, numbers const& got, double tolerance = 1e-11) {
      CAPTURE(what);
      numbers const wanted = expected(rows, columns, what);
      CHECK(wanted.values.size() > 0);
      double size = 1;
      for (double const w : wanted.values) size = std::abs(w) > size ? std::abs(w) : size;
      REQUIRE(got.values.size() == wanted.values.size());
      for (std::size_t k = 0; k < got.values.size(); ++k)
        CHECK(std::abs(got.values[k] - wanted.values[k]) <= tolerance * size);
      ++found;
    };
    same("svdvals", numbers(rc::eval(la::svdvals(x))));
    same("pinv", numbers(rc::eval(la::pinv(x))));
    same("lstsq", numbers(rc::eval(la::lstsq(x, y))));
    same("matrix_rank", listed(la::matrix_rank(x)));
    auto const [q, r] = la::qr(x);
    same("|r|", numbers(rc::eval(rc::abs(r))));
    auto const [p, l, u] = la::lu(x);
    same("u", numbers(u)), same("l", numbers(l)), same("p", numbers(p));
    same("norms",
         listed(la::matrix_norm(x), la::matrix_norm(x, la::nuc), la::matrix_norm(x, la::ord<1>),
                la::matrix_norm(x, la::ord<-1>), la::matrix_norm(x, la::ord<2>), la::matrix_norm(x, la::ord<-2>),
                la::matrix_norm(x, la::ord<la::inf>), la::matrix_norm(x, la::ord<-la::inf>)));
    same("vector norms", listed(la::vector_norm(x), la::vector_norm(x, la::ord<1>), la::vector_norm(x, la::ord<3>),
                                la::vector_norm(x, la::ord<.5>), la::vector_norm(x, la::ord<la::inf>),
                                la::vector_norm(x, la::ord<-la::inf>), la::vector_norm(x, la::ord<0>)));
    same("norms of columns", numbers(rc::eval(la::vector_norm(x, la::ord<3>, rc::axis<0>))));
    same("cond", listed(la::cond(x)));
    if (m != n) continue;
    rc::ndarray<double, 2> const s = rc::matmul(x, x.T()) + rc::eye<double>(rc::shape(n, n));
    same("det", listed(la::det(x)));
    auto const [sign, logabsdet] = la::slogdet(x);
    same("slogdet", listed(sign, logabsdet));
    same("inv", numbers(rc::eval(la::inv(x))));
    same("solve", numbers(rc::eval(la::solve(x, y))));
    same("cholesky", numbers(rc::eval(la::cholesky(s))));
    same("lower", numbers(rc::eval(la::solve_triangular(x, y))), 1e-9);
    same("upper", numbers(rc::eval(la::solve_triangular(x, y, rc::upper))), 1e-9);
    same("eigvalsh", numbers(rc::eval(la::eigvalsh(s))));
    same("power 5", numbers(rc::eval(la::matrix_power(x, rc::known<5>))));
    same("power -2", numbers(rc::eval(la::matrix_power(x, rc::known<-2>))));
    same("expm", numbers(rc::eval(la::expm(x / 4.))));
    same("expm of small", numbers(rc::eval(la::expm(x / 4096.))), 1e-14);
    same("cond 1", listed(la::cond(x, la::ord<1>)));
    same("cond fro", listed(la::cond(x, la::fro)));
  }
  CHECK(found == int(std::size(references)));
}

TEST_CASE("batches, strides, types, lazy operands, in place") {
  rc::ndarray<double, 3> many(2, 3, 3);
  many(0) = a, many(1) = a + 2. * rc::eye<double>(rc::extents<3, 3>{});
  auto const l = rc::eval(la::cholesky(many));
  // several go side by side, so that they may be rounded otherwise than one
  CHECK(numbers(l(1)).near(numbers(rc::eval(la::cholesky(many(1)))), 1e-15));
  CHECK(numbers(rc::eval(la::det(many))).near({70, rc::eval(la::det(many(1))).item()}, 1e-13));
  auto const [w, v] = la::eigh(many);
  CHECK(shape_of(w) == numbers{2, 3});
  CHECK(numbers(w(0)).near(numbers(rc::eval(la::eigvalsh(a))), 1e-14));
  CHECK(numbers(rc::eval(la::solve_triangular(many, b))(1))
            .near(numbers(rc::eval(la::solve_triangular(many(1), b))), 1e-15));
  CHECK(numbers(rc::eval(la::pinv(many, rc::tensor<double, 2>{0., .9}))(1))
            .near(numbers(rc::eval(la::pinv(many(1), .9)))));
  CHECK(numbers(rc::eval(la::matrix_rank(many, .3))) == numbers{2, 3});
  // a tolerance below 0 is refused, and is none of a matrix that is singular
  rc::tensor<double, 2, 2> const singular{{1, 1}, {1, 1}}, nothing{};
  std::string const expected = ": a tolerance of 0 or more is expected, not ";
  CHECK(raised([&] { (void)la::pinv(singular, -1.); }) == "value_error: pinv" + expected + "a negative one");
  CHECK(raised([&] { (void)la::matrix_rank(singular, NAN); }) == "value_error: matrix_rank" + expected + "NaN");
  CHECK(raised([&] { (void)la::lstsq(singular, nothing, -1.f); }) ==
        "value_error: lstsq" + expected + "a negative one");
  CHECK(raised([&] { (void)la::lstsq(singular, nothing, -1., la::all_results); }).find("lstsq: a tol") !=
        std::string::npos);
  rc::tensor<double> const below(-1.);
  CHECK(numbers(rc::eval(la::pinv(nothing, below))).near({0, 0, 0, 0}, 0));
  CHECK(rc::eval(la::matrix_rank(nothing, below)).item() == 0);
  auto const [p, lower, upper] = la::lu(many);
  CHECK(numbers(rc::eval(rc::matmul(p, rc::matmul(lower, upper)))).near(numbers(many)));
  CHECK(shape_of(rc::eval(la::matrix_norm(many, la::ord<2>, rc::keepdims))) == numbers{2, 1, 1});
  CHECK(shape_of(rc::eval(la::vector_norm(many, rc::axis<-1>, rc::keepdims))) == numbers{2, 3, 1});

  CHECK(numbers(rc::eval(la::inv(a.T()))).near(numbers(rc::eval(rc::eval(la::inv(a)).T()))));
  CHECK(numbers(rc::eval(2. * la::inv(a + a) - 1.)).near(numbers(rc::eval(la::inv(a) - 1.))));
  auto const whole = rc::eval(la::det(rc::tensor<int, 2, 2>{{2, 0}, {0, 4}}));
  static_assert(std::is_same_v<decltype(whole)::value_type, double>);
  CHECK(whole.item() == 8);
  auto const half = rc::eval(la::cholesky(rc::tensor<rc::float16, 2, 2>{{4, 2}, {2, 5}}));
  static_assert(std::is_same_v<decltype(half)::value_type, rc::float16>);
  CHECK(float(half(1, 1)) == 2);
  auto x = a;
  x = la::cholesky(x);
  CHECK(numbers(x) == numbers(rc::eval(la::cholesky(a))));
  rc::ndarray<double, 2> to(6, 6);
  to = 0.;
  to(rc::range(0, 6, 2), rc::range(0, 6, 2)) = la::inv(a);
  CHECK(to(4, 4) == rc::eval(la::inv(a))(2, 2));
  CHECK(numbers(rc::eval(la::multi_dot(b, a, a, b)))
            .near(numbers(rc::eval(rc::matmul(rc::matmul(b, a), rc::matmul(a, b))))));
  CHECK(numbers(rc::eval(la::matrix_power(a, rc::known<0>))) == numbers{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(rc::eval(la::det(rc::any_tensor(a))).order() == 0);
  static_assert(rc::eval(la::cholesky(rc::tensor<double, 2, 2>{{4, 2}, {2, 5}}))(1, 0) == 1);
  static_assert(rc::eval(la::det(rc::tensor<double, 2, 2>{{0, 2}, {3, 5}})).item() == -6);
  static_assert(rc::eval(la::eigvalsh(rc::tensor<double, 2, 2>{{2, 1}, {1, 2}}))(1) > 2.999);
}

TEST_CASE("no rows, one row") {
  rc::ndarray<double, 2> const none(0, 0);
  CHECK(rc::eval(la::cholesky(none)).size() == 0);
  CHECK(rc::eval(la::det(none)).item() == 1);
  CHECK(la::slogdet(none).sign.item() == 1);
  CHECK(la::slogdet(none).logabsdet.item() == 0);
  CHECK(rc::eval(la::matrix_rank(none)).item() == 0);
  CHECK(rc::eval(la::expm(none)).size() == 0);
  CHECK(shape_of(rc::eval(la::pinv(rc::ndarray<double, 2>(0, 3)))) == numbers{3, 0});
  CHECK(numbers(rc::eval(la::lstsq(rc::ndarray<double, 2>(0, 2), rc::ndarray<double, 1>(0)))) == numbers{0, 0});
  rc::tensor<double, 1, 1> const one{{-4}};
  auto const [u, s, vh] = la::svd(one);
  CHECK(s(0) == 4);
  CHECK(u(0, 0) * vh(0, 0) == -1);
  CHECK(la::eigh(one).eigenvalues(0) == -4);
  CHECK(la::slogdet(one).sign.item() == -1);
}

TEST_CASE("what cannot be factored is NaN, member by member, or an error that names the operation") {
  rc::ndarray<double, 3> many(3, 3, 3);
  many(0) = a, many(1) = -1. * a, many(2) = a;
  auto const l = rc::eval(la::cholesky(many));
  CHECK(numbers(l(0)) == numbers(rc::eval(la::cholesky(a))));
  CHECK(numbers(l(2)) == numbers(l(0)));
  for (int k = 0; k < 9; ++k) CHECK(std::isnan(l(1, k / 3, k % 3)));
  CHECK_THROWS_WITH_AS(la::checked(la::cholesky(many)), "cholesky: NaN at (1, 0, 0)", la::error);
  CHECK(numbers(la::checked(la::cholesky(a))) == numbers(l(0)));
  many(1) = 0.;
  auto const y = rc::eval(la::inv(many));
  CHECK(std::isnan(y(1, 0, 0)));
  CHECK(std::isfinite(y(2, 0, 0)));
  CHECK_THROWS_WITH_AS(la::checked(la::solve(many, b)), "solve: NaN at (1, 0)", la::error);
  CHECK(std::isnan(rc::eval(la::solve_triangular(many, b))(1, 2)));
  auto const [sign, logabsdet] = la::slogdet(many);
  CHECK(sign(1) == 0);
  CHECK(logabsdet(1) == -INFINITY);
  many(1, 2, 0) = NAN;
  auto const [w, v] = la::eigh(many);
  CHECK(std::isnan(w(1, 0)));
  CHECK(numbers(w(2)).near(numbers(rc::eval(la::eigvalsh(a))), 1e-14));
  CHECK_THROWS_WITH_AS(la::checked(la::eigh(many)), "eigh: NaN at (1, 0)", la::error);
  CHECK_THROWS_WITH_AS(la::checked(la::svd(many)), "svd: NaN at (1, 0, 0)", la::error);
  many(1, 2, 0) = INFINITY;
  for (auto const& x : {rc::eval(la::qr(many).R(1)), rc::eval(la::pinv(many)(1)), rc::eval(la::expm(many)(1))})
    CHECK(std::isnan(x(0, 0)));
  CHECK(std::isfinite(rc::eval(la::pinv(many))(2, 0, 0)));
}

TEST_CASE("what does not fit") {
  rc::ndarray<double, 2> const wide(2, 3);
  CHECK_THROWS_WITH_AS(rc::eval(la::cholesky(wide)), "cholesky: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::inv(wide)), "inv: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::det(wide)), "det: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(la::slogdet(wide), "slogdet: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(la::eigh(wide), "eigh: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::expm(wide)), "expm: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::matrix_power(wide, rc::known<2>)), "matrix_power: (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::multi_dot(wide, wide, wide)), "multi_dot: (2, 3) (2, 3)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::solve_triangular(wide, b)), "solve_triangular: (2, 3) (3,)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::lstsq(wide, b)), "lstsq: (2, 3) (3,)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::eval(la::cond(wide, la::fro)), "cond: (2, 3)", rc::shape_error);
}
