// Eigenvalues and vectors of any square matrix, Schur's form: residuals, values that are known, derivatives, and what
// cannot be computed.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "agrees.hpp"
#include "complex_matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

template <class A>
void residuals_are_small(A const& a, bool with_vectors) {
  using C = typename A::value_type;
  using T = rc::component_t<C>;
  using full = std::complex<T>;
  rc::index_t const n = a.shape(0);
  double const unit = double(std::numeric_limits<T>::epsilon()) * double(n) * (size_of(a) > 0 ? size_of(a) : 1);
  auto const [t, z] = la::schur(a);
  A const zt = rc::matmul(z, t), zh = rc::conj(z.T()), zz = rc::matmul(zh, z);
  CHECK(size_of_residual(a, zt, zh) < 30 * unit);
  CHECK(size_of(rc::eval(zz - rc::eye<T>(rc::shape(n, n)))) <
        30 * double(n) * double(std::numeric_limits<T>::epsilon()));
  bool form = true;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      bool const block = std::is_same_v<C, T> && i == j + 1 && t(i, j) != C(0);
      if constexpr (std::is_same_v<C, T>)
        form = form &&
               (!block || (t(i, i) == t(j, j) && (t(i, j) < 0) != (t(j, i) < 0) && (i + 1 == n || t(i + 1, i) == 0)));
      form = form && (block || t(i, j) == C(0));
    }
  CHECK(form);
  auto const [w, v] = la::eig(a);
  auto const values = rc::eval(la::eigvals(a));
  CHECK(size_of(rc::eval(rc::reshape(w - values, rc::shape(1, n)))) < 1e3 * unit);
  if (with_vectors) {
    matrix<full> const av = rc::matmul(rc::astype<full>(a), v), vw = v * w;
    CHECK(size_of(rc::eval(av - vw)) < 30 * unit);
  }
  for (int k = 0; k < n; ++k) {
    double sum = 0, most = 0, imaginary = 1;
    for (int i = 0; i < n; ++i) {
      double const square = std::norm(std::complex<double>(v(i, k)));
      sum += square;
      if (square > most) most = square, imaginary = double(v(i, k).imag());
    }
    CHECK(std::abs(sum - 1) < 10 * double(n) * double(std::numeric_limits<T>::epsilon()));
    CHECK(std::abs(imaginary) < 10 * double(std::numeric_limits<T>::epsilon()));
  }
}

rc::tensor<double, 3, 3> const a{{1, 2, -1}, {.5, 3, 4}, {-2, .25, -1.5}};  // a pair of conjugate eigenvalues

}  // namespace

TEST_CASE_TEMPLATE("residuals of eigenvalues, vectors and Schur's form", T, float, double) {
  for (int kind = 0; kind < kind_count; ++kind)
    for (int const n : {1, 2, 3, 4, 9, 20}) {
      CAPTURE(kinds[kind]);
      CAPTURE(n);
      bool const with_vectors = kind != 8;  // these are those of a matrix that is scaled, as LAPACK's
      residuals_are_small(of_kind<T>(kind, n, n), with_vectors);
      residuals_are_small(complex_of_kind<T>(kind, n, n), with_vectors);
    }
}
TEST_CASE("eigenvalues that are known") {
  for (int const n : {2, 3, 4, 5, 8}) {  // roots of 1, at which the usual shifts go round in circles
    CAPTURE(n);
    matrix<double> cycle(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) cycle(i, j) = (i + 1) % n == j;
    matrix<std::complex<double>> const turned = rc::astype<std::complex<double>>(cycle);
    for (auto const& w : {rc::eval(la::eigvals(cycle)), rc::eval(la::eigvals(turned))})
      for (int k = 0; k < n; ++k) {
        CHECK(std::abs(std::pow(w(k), n) - 1.) < 1e-13);
        for (int i = 0; i < k; ++i) CHECK(std::abs(w(i) - w(k)) > .1);
      }
    auto const w = rc::eval(la::eigvals(cycle));
    for (int k = 0; k < n; ++k)
      if (w(k).imag() > 0) CHECK(w(k + 1) == std::conj(w(k)));
  }
  rc::tensor<double, 2, 2> const badly_scaled{{1, 1e10}, {1e-10, 2}};
  auto const w = rc::eval(la::eigvals(badly_scaled));
  CHECK(std::abs(w(0) + w(1) - 3.) < 1e-14);
  CHECK(std::abs(w(0) * w(1) - 1.) < 1e-14);
  // elements far apart, which scaling by sums of magnitudes without the diagonal would bring no nearer to each other
  rc::tensor<double, 4, 4> apart{{4, -1, 2, 3}, {1, 3, -2, 1}, {2, 1, 5, -1}, {-3, 2, 1, 6}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) apart(i, j) = std::ldexp(apart(i, j), -40 * ((i * j + i) % 3));
  auto const [values, vectors] = la::eig(apart);
  auto const left = rc::eval(rc::matmul(rc::astype<std::complex<double>>(apart), vectors) - vectors * values);
  CHECK(size_of(left) < 1e-14);
  CHECK(rc::eval(la::eigvals(rc::ndarray<double, 2>(0, 0))).size() == 0);
  auto const zero = la::eig(rc::tensor<double, 2, 2>{});
  CHECK(zero.eigenvalues(0) == 0.);
  CHECK(zero.eigenvectors(1, 1) == 1.);
  rc::tensor<float, rc::dyn, 2, 2> many(2, 2, 2);
  many(0) = rc::tensor<float, 2, 2>{{0, -1}, {1, 0}}, many(1) = NAN;
  auto const both = rc::eval(la::eigvals(many));
  static_assert(std::is_same_v<decltype(both)::value_type, std::complex<float>>);
  CHECK(both(0, 0) == std::complex<float>(0, 1));
  CHECK(std::isnan(both(1, 0).real()));
  CHECK_THROWS_WITH_AS(la::checked(la::eig(many)), "eig: NaN at (1, 0)", la::error);
  CHECK_THROWS_WITH_AS(la::checked(la::schur(many)), "schur: NaN at (1, 0, 0)", la::error);
  CHECK_THROWS_WITH_AS(la::eig(rc::ndarray<double, 2>(2, 3)), "eig: (2, 3)", rc::shape_error);
}
TEST_CASE("derivatives of eigenvalues and vectors") {
  auto const both = [](auto m) { return std::pair(la::eig(m).eigenvalues, la::eig(m).eigenvectors); };
  agrees("eig of a real matrix", both, a);
  agrees(
      "eigvals", [](auto m) { return la::eigvals(m); }, a);
  rc::tensor<std::complex<double>, 3, 3> c = rc::astype<std::complex<double>>(a);
  c(0, 1) = {1, .5}, c(2, 2) = {-1, -1}, c(1, 0) = {0, 2};
  agrees("eig of a complex matrix", both, c);
  auto const sizes = [](auto m) { return rc::sum(rc::abs(la::eig(m).eigenvectors)); };
  rc::tensor<float, 3, 3> const single = rc::astype<float>(a);
  CHECK(numbers(rc::grad(sizes)(single)).near(numbers(rc::grad(sizes)(a)), 1e-4));
  auto const radius = [](auto m) { return rc::max(rc::abs(la::eigvals(m))); };
  rc::ndarray<double, 3> many(2, 3, 3);
  many(0) = a, many(1) = 2. * a;
  auto const g = rc::grad(radius)(a);
  auto const each = rc::vmap(rc::grad(radius))(many);
  CHECK(numbers(each(0)).near(numbers(g), 1e-12));
  CHECK(numbers(each(1)).near(numbers(g), 1e-12));  // it is homogeneous
  CHECK(numbers(rc::interpret(rc::grad(radius))(a)).near(numbers(g), 1e-12));
}
TEST_CASE("equal eigenvalues") {
  rc::tensor<double, 2, 2> const unit{{1, 0}, {0, 1}};
  auto const sum = rc::grad([](auto m) { return rc::sum(rc::real(la::eigvals(m))); })(unit);
  CHECK(numbers(sum) == numbers{1, 0, 0, 1});
  auto const first = rc::grad([](auto m) { return rc::real(la::eig(m).eigenvectors(1, 0)); })(unit);
  CHECK(std::isnan(first(1, 0)));
}
