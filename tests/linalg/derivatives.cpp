// Derivatives of linear algebra against finite differences, in both modes and of order 2, of what does not depend on
// how vectors are turned; batches; and the degenerate cases, exactly.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"
#include "agrees.hpp"
#include "matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using matrices::agrees;

namespace {

using matrices::of_kind;
rc::ndarray<double, 2> const square = of_kind<double>(0, 3, 3), wide = of_kind<double>(0, 2, 4),
                             high = of_kind<double>(0, 4, 2), right = of_kind<double>(0, 3, 2, 9);
rc::tensor<double, 3, 3> const fixed = square;
rc::tensor<double, 3, 3> const unit{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

auto const positive = [](auto a) { return rc::matmul(a, rc::matrix_transpose(a)); };

}  // namespace

TEST_CASE("derivatives agree with finite differences up to order 2") {
  agrees(
      "cholesky", [](auto a) { return la::cholesky(positive(a)); }, square);
  agrees(
      "upper cholesky", [](auto a) { return la::cholesky(positive(a) + a, rc::upper); }, square);
  agrees(
      "solve_triangular", [](auto a, auto b) { return la::solve_triangular(a, b); }, square, right);
  agrees(
      "solve_triangular, upper", [](auto a, auto b) { return la::solve_triangular(a, b(rc::all, 0), rc::upper); },
      square, right);
  agrees(
      "solve_triangular, unit", [](auto a, auto b) { return la::solve_triangular(a, b, rc::lower, rc::unit_diagonal); },
      square, right);
  agrees(
      "inv", [](auto a) { return la::inv(a); }, square);
  agrees(
      "det", [](auto a) { return la::det(a); }, square);
  agrees(
      "slogdet", [](auto a) { return la::slogdet(a).logabsdet; }, square);
  agrees(
      "lu", [](auto a) { return std::pair(la::lu(a).L, la::lu(a).U); }, square);
  agrees(
      "pinv, wide", [](auto a) { return la::pinv(a); }, wide);
  agrees(
      "pinv, high", [](auto a) { return la::pinv(a); }, high);
  agrees(
      "lstsq", [](auto a, auto b) { return la::lstsq(a, b); }, of_kind<double>(0, 3, 2, 4), right);
  agrees(
      "expm", [](auto a) { return la::expm(a); }, square);
  agrees(
      "matrix_power", [](auto a) { return la::matrix_power(a, rc::known<-3>); }, square);
  agrees(
      "multi_dot", [](auto a, auto b, auto c) { return la::multi_dot(a, b, c); }, square, right, wide);
}
TEST_CASE("derivatives of orthogonal factors") {
  auto const both = [](auto a) {
    auto const [q, r] = la::qr(a);
    return std::pair(q, r);
  };
  agrees("qr", both, square);
  agrees("qr of static extents", both, fixed);
  agrees("qr, wide", both, wide);
  agrees("qr, high", both, high);
  agrees(
      "complete qr, wide", [](auto a) { return la::qr(a, rc::complete).R; }, wide);
  agrees(
      "eigh", [](auto a) { return std::pair(la::eigh(a).eigenvalues, rc::square(la::eigh(a).eigenvectors)); }, square);
  agrees(
      "eigvalsh", [](auto a) { return la::eigvalsh(a); }, square);
  auto const parts = [](auto a) {
    auto const [u, s, vh] = la::svd(a, rc::full_matrices<false>);
    return std::tuple(u * u, s, vh * vh, rc::matmul(u, vh));
  };
  agrees("svd", parts, square);
  agrees("svd of static extents", parts, fixed);
  agrees("svd, wide", parts, wide);
  agrees("svd, high", parts, high);
  agrees(
      "full svd", [](auto a) { return rc::matmul(la::svd(a).U, la::svd(a).Vh); }, square);
  agrees(
      "svdvals", [](auto a) { return la::svdvals(a); }, high);
  agrees(
      "norms",
      [](auto a) {
        return std::tuple(la::matrix_norm(a, la::ord<2>), la::matrix_norm(a, la::nuc), la::cond(a),
                          la::cond(a, la::fro), la::vector_norm(a, la::ord<3>, rc::axis<0>));
      },
      square);
}

TEST_CASE("derivatives of an exponential do not lose digits to the size of what they are along") {
  rc::tensor<double, 2, 2> const a{{.5, 1}, {-.3, .2}}, zero{};
  auto const scaled = [](auto x, auto s) { return s * rc::sum(rc::linalg::expm(x)); };
  auto const expected = rc::grad<0>(scaled)(a, 1.);
  for (double const s : {1e-310, 1e-200, 1e-5, 1e5, 1e20, 1e200}) {
    CAPTURE(s);
    auto const found = rc::eval(rc::grad<0>(scaled)(a, s) / s);
    CHECK(bool(rc::all(rc::abs(found - expected) <= (s < 1e-300 ? 1e-12 : 1e-14) * rc::abs(expected))));
    rc::tensor<double, 2, 2> const e{{s, -s}, {2 * s, s}};
    auto const along = rc::eval(rc::jvp([](auto x) { return rc::linalg::expm(x); })(zero)(e).second);
    CHECK(bool(rc::all(rc::abs(along - e) <= 1e-15 * rc::abs(e))));
  }
}
TEST_CASE("compiled functions, gradients of batches") {
  auto const likelihood = [](auto k, auto y) { return rc::sum(y * la::solve(k, y)) + la::slogdet(k).logabsdet; };
  rc::tensor<double, 3, 3> const a{{4, 1, 2}, {1, 5, 3}, {2, 3, 6}};
  rc::tensor<double, 3> const b{1, 2, 3};
  auto const g = rc::grad(likelihood)(a, b);
  CHECK(numbers(rc::interpret(rc::grad(likelihood))(a, b)).near(numbers(g)));
  rc::ndarray<double, 3> many(2, 3, 3);
  many(0) = a, many(1) = 2. * a;
  auto const each = rc::vmap(rc::grad(likelihood), rc::in_axes<0, rc::unbatched>)(many, b);
  CHECK(numbers(each(0)).near(numbers(g)));
  CHECK(numbers(each(1)).near(numbers(rc::grad(likelihood)(rc::eval(2. * a), b))));
  auto const spread = [](auto m) {
    auto const [w, v] = la::eigh(m);
    return w(-1) - w(0);
  };
  CHECK(numbers(rc::hvp(spread)(a, unit)).near(numbers(rc::eval(0. * unit)), 1e-12));
  auto const rotated = [](auto m) {
    auto const [u, s, vh] = la::svd(m, rc::full_matrices<false>);
    return rc::sum(rc::matmul(u, vh) * s);
  };
  auto const all = rc::vmap(rc::grad(rotated))(many);
  CHECK(numbers(all(0)).near(numbers(rc::grad(rotated)(a))));
  auto [value, tangent] = rc::jvp(rotated)(a)(unit);
  CHECK(tangent.item() == doctest::Approx(rc::eval(la::trace(rc::grad(rotated)(a))).item()));
}

TEST_CASE("equal eigenvalues and singular values: a number where it does not matter how vectors are turned, else NaN") {
  auto const again = [](auto a) {
    auto const [w, v] = la::eigh(a);
    return rc::sum(rc::square(rc::matmul(v * w, rc::matrix_transpose(v))));
  };
  CHECK(numbers(rc::grad(again)(unit)).near(numbers(rc::eval(2. * unit)), 1e-14));
  CHECK(numbers(rc::grad(again)(rc::eval(0. * unit))) == numbers(rc::eval(0. * unit)));
  rc::tensor<double, 3, 3> const twice{{3, 1, 1}, {1, 3, 1}, {1, 1, 3}};  // 2, 2, 5
  CHECK(numbers(rc::grad(again)(twice)).near(numbers(rc::eval(2. * twice)), 1e-13));
  auto const first = [](auto a) { return la::eigh(a).eigenvectors(0, 0) + 2. * la::eigh(a).eigenvectors(1, 0); };
  auto const one = rc::grad(first)(twice);
  CHECK(std::isnan(one(0, 0)));
  auto const last = [](auto a) { return rc::square(la::eigh(a).eigenvectors(0, 2)); };  // its value is a single one
  auto const good = rc::grad(last)(twice);
  CHECK(std::isfinite(good(0, 0)));
  CHECK(numbers(rc::grad([](auto a) { return rc::sum(la::eigvalsh(a)); })(twice)).near(numbers(unit), 1e-14));

  auto const product = [](auto a) {
    auto const [u, s, vh] = la::svd(a, rc::full_matrices<false>);
    return rc::sum(rc::square(rc::matmul(u * s, vh)));
  };
  CHECK(numbers(rc::grad(product)(unit)).near(numbers(rc::eval(2. * unit)), 1e-14));
  auto const nuclear = [](auto a) { return la::matrix_norm(a, la::nuc); };
  CHECK(numbers(rc::grad(nuclear)(unit)).near(numbers(unit), 1e-14));
  rc::tensor<double, 2, 2> const rank_1{{1, 2}, {2, 4}};
  auto const steep = rc::grad([](auto a) { return rc::sum(rc::square(la::svdvals(a))); })(rank_1);
  CHECK(numbers(steep).near(numbers(rc::eval(2. * rank_1)), 1e-14));
}

TEST_CASE("gradients of determinants of singular matrices are their cofactors") {
  auto const det = [](auto a) { return la::det(a); };
  rc::tensor<double, 3, 3> const rank_2{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, rank_1{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}};
  CHECK(numbers(rc::grad(det)(rank_2)).near({-3, 6, -3, 6, -12, 6, -3, 6, -3}, 1e-13));
  CHECK(numbers(rc::grad(det)(rank_1)) == numbers(rc::eval(0. * unit)));
  CHECK(numbers(rc::grad(det)(rc::eval(0. * unit))) == numbers(rc::eval(0. * unit)));
  CHECK(rc::grad(det)(rc::tensor<double, 1, 1>{{0}})(0, 0) == 1);
  CHECK(numbers(rc::grad(det)(rc::tensor<double, 2, 2>{{0, 0}, {0, 3}})) == numbers{3, 0, 0, 0});
  CHECK(rc::grad(det)(rc::ndarray<double, 2>(0, 0)).size() == 0);
}

TEST_CASE("what has no derivative says so") {
  CHECK_THROWS_WITH_AS(rc::grad([](auto a) { return rc::sum(la::qr(a, rc::complete).Q); })(high),
                       "qr is derived by reduced factors, or of no more rows than columns: (4, 2)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::grad([](auto a) { return rc::sum(la::svd(a).U); })(high),
                       "svd is derived by full_matrices<false>, or of square matrices: (4, 2)", rc::shape_error);
  CHECK_THROWS_WITH_AS(rc::grad([](auto a) { return rc::sum(la::lu(a).U); })(high),
                       "lu is derived of square matrices: (4, 2)", rc::shape_error);
}
