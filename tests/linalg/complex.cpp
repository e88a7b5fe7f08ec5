// Complex matrices: residuals, what holds of adjoints, derivatives in both modes and of order 2, batches, and what
// cannot be factored.
#include <doctest/doctest.h>

#include <complex>

#include "../numbers.hpp"
#include "agrees.hpp"
#include "complex_matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

template <class T>
void solved(int kind, int n) {
  using C = std::complex<T>;
  matrix<C> const a = complex_of_kind<T>(kind, n, n), b = complex_of_kind<T>(0, n, 3, 5);
  matrix<C> const x = la::solve(a, b), l = rc::tril(a), u = rc::triu(a);
  auto const small = [&](matrix<C> const& m, matrix<C> const& y, matrix<C> const& right) {
    double const size = size_of(m) * size_of(y) * n;
    return size_of_residual(right, m, y) <= 60 * double(std::numeric_limits<T>::epsilon()) * (size > 1 ? size : 1);
  };
  CHECK(small(a, x, b));
  CHECK(small(l, la::solve_triangular(a, b), b));
  CHECK(small(u, la::solve_triangular(a, b, rc::upper), b));
  CHECK(small(a, la::inv(a), rc::astype<C>(rc::eye<T>(rc::shape(n, n)))));
  auto const [p, lower, upper] = la::lu(a);
  static_assert(std::is_same_v<typename decltype(p)::value_type, T>);
  CHECK(small(matrix<C>(rc::matmul(p, lower)), upper, a));
  auto const [sign, logabsdet] = la::slogdet(a);
  static_assert(std::is_same_v<typename decltype(logabsdet)::value_type, T>);
  C const det = rc::eval(la::det(a)).item(), again = sign.item() * std::exp(logabsdet.item());
  CHECK(std::abs(det - again) <= 1e3 * double(std::numeric_limits<T>::epsilon()) * std::abs(det));
}

template <class T>
void factored(int kind, int m, int n) {
  using C = std::complex<T>;
  matrix<C> x = complex_of_kind<T>(kind, m, n);
  if (kind == 5) x *= C(T(.25));
  double const eps = double(std::numeric_limits<T>::epsilon()), size = size_of(x) > 0 ? size_of(x) : 1;
  auto const is_unitary = [eps](matrix<C> const& q) {
    matrix<C> const h = adjoint<T>(q), one = rc::matmul(h, q);
    CHECK(size_of(rc::eval(one - rc::eye<T>(rc::shape(q.shape(1), q.shape(1))))) < 30 * double(q.shape(0)) * eps);
  };
  {
    auto const [q, r] = la::qr(x);
    CHECK(size_of_residual(x, q, r) < 30 * (m > n ? m : n) * eps * size);
    is_unitary(q);
    bool form = true;
    for (int i = 0; i < r.shape(0); ++i)
      for (int j = 0; j <= i && j < n; ++j) form = form && (i == j ? r(i, j).imag() == 0 : r(i, j) == C(0));
    CHECK(form);
    is_unitary(la::qr(x, rc::complete).Q);
  }
  {
    auto const [u, s, vh] = la::svd(x, rc::full_matrices<false>);
    static_assert(std::is_same_v<typename decltype(s)::value_type, T>);
    matrix<C> const us = u * s;
    CHECK(size_of_residual(x, us, vh) < 30 * (m > n ? m : n) * eps * size);
    is_unitary(u);
    is_unitary(adjoint<T>(vh));
    for (int k = 0; k + 1 < s.shape(0); ++k) CHECK(s(k) >= s(k + 1));
    CHECK(size_of(rc::eval(rc::reshape(la::svdvals(x) - s, rc::shape(1, s.shape(0))))) < 100 * eps * size);
    auto const whole = la::svd(x);
    is_unitary(whole.U);
    is_unitary(adjoint<T>(whole.Vh));
  }
  if (m != n) return;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) x(i, j) = std::conj(x(j, i));
    x(i, i) = x(i, i).real();
  }
  auto const [w, v] = la::eigh(x);
  static_assert(std::is_same_v<typename decltype(w)::value_type, T>);
  matrix<C> const vw = v * w;
  CHECK(size_of_residual(x, vw, adjoint<T>(v)) < 30 * n * eps * size);
  is_unitary(v);
  for (int k = 0; k + 1 < n; ++k) CHECK(w(k) <= w(k + 1));
  CHECK(size_of(rc::eval(rc::reshape(la::eigvalsh(x) - w, rc::shape(1, n)))) < 100 * n * eps * size);
  if (kind == 0) {
    for (int i = 0; i < n; ++i) x(i, i) += T(2 * n);
    matrix<C> const l = la::cholesky(x);
    CHECK(size_of_residual(x, l, adjoint<T>(l)) < 30 * n * eps * size_of(x));
    CHECK(size_of(rc::eval(la::cholesky(x, rc::upper) - adjoint<T>(l))) == 0);
  }
}

rc::tensor<std::complex<double>, 3, 3> const a{
    {{4, 1}, {1, -2}, {0, .5}}, {{1, 2}, {5, 0}, {1, 1}}, {{-1, 0}, {2, -1}, {3, -1}}};
rc::tensor<std::complex<double>, 3> const b{{1, -1}, {0, 2}, {3, .5}};

}  // namespace

TEST_CASE_TEMPLATE("systems, inverses and determinants of complex matrices", T, float, double) {
  for (int const kind : {0, 1, 2})
    for (int const n : {1, 2, 3, 4, 7, 20}) {
      CAPTURE(kinds[kind]);
      CAPTURE(n);
      solved<T>(kind, n);
    }
}
TEST_CASE("derivatives of systems, inverses and determinants of complex matrices") {
  agrees(
      "solve", [](auto m, auto y) { return la::solve(m, y); }, a, b);
  agrees(
      "solve_triangular", [](auto m, auto y) { return la::solve_triangular(m, y, rc::upper); }, a, b);
  agrees(
      "inv", [](auto m) { return la::inv(m); }, a);
  agrees(
      "det", [](auto m) { return la::det(m); }, a);
  agrees(
      "slogdet", [](auto m) { return std::pair(la::slogdet(m).sign, la::slogdet(m).logabsdet); }, a);
  agrees(
      "lu", [](auto m) { return std::pair(la::lu(m).L, la::lu(m).U); }, a);
}
TEST_CASE_TEMPLATE("factors of complex matrices", T, float, double) {
  for (int kind = 0; kind < kind_count; ++kind)
    for (auto const& s : {std::pair(1, 1), std::pair(2, 2), std::pair(3, 5), std::pair(7, 4), std::pair(20, 20)}) {
      CAPTURE(kinds[kind]);
      CAPTURE(s.first);
      factored<T>(kind, s.first, s.second);
    }
}
TEST_CASE("derivatives of factors of complex matrices") {
  auto const positive = [](auto m) { return rc::matmul(m, rc::conj(rc::matrix_transpose(m))); };
  agrees(
      "cholesky", [=](auto m) { return la::cholesky(positive(m)); }, a);
  agrees(
      "upper cholesky", [=](auto m) { return la::cholesky(positive(m) + m, rc::upper); }, a);
  agrees(
      "cho_solve", [](auto m, auto y) { return la::cho_solve(m, y); }, a, b);
  auto const both = [](auto m) { return std::pair(la::qr(m).Q, la::qr(m).R); };
  agrees("qr", both, a);
  agrees("qr, wide", both, complex_of_kind<double>(0, 2, 4));
  agrees("qr, high", both, complex_of_kind<double>(0, 4, 2));
  agrees(
      "eigh", [](auto m) { return std::pair(la::eigh(m).eigenvalues, rc::abs(la::eigh(m).eigenvectors)); }, a);
  agrees(
      "eigvalsh", [](auto m) { return la::eigvalsh(m); }, a);
  auto const parts = [](auto m) {
    auto const [u, s, vh] = la::svd(m, rc::full_matrices<false>);
    return std::tuple(rc::abs(u), s, rc::abs(vh), rc::matmul(u, vh));
  };
  agrees("svd", parts, a);
  agrees("svd, wide", parts, complex_of_kind<double>(0, 2, 4));
  agrees("svd, high", parts, complex_of_kind<double>(0, 4, 2));
  agrees(
      "svdvals", [](auto m) { return la::svdvals(m); }, a);
}
TEST_CASE_TEMPLATE("complex numbers whose reciprocals overflow or vanish", T, float, double) {
  using C = std::complex<T>;
  T const least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  rc::tensor<C, 2, 2> const plain{{C(3, 1), C(1, -2)}, {C(-1, 2), C(2, 2)}};
  for (T const by : {least / 64, least, most / 8}) {
    rc::tensor<C, 2, 2> x = plain;
    for (auto& e : x) e = {e.real() * by, e.imag() * by};
    auto const [p, l, u] = la::lu(x);
    CHECK(size_of(rc::eval(l - la::lu(plain).L)) < 1e5 * double(std::numeric_limits<T>::epsilon()));
    auto const [sign, logarithm] = la::slogdet(x);
    auto const expected = la::slogdet(plain);
    CHECK(std::abs(sign.item() - expected.sign.item()) < 1e5 * double(std::numeric_limits<T>::epsilon()));
    CHECK(std::abs(logarithm.item() - 2 * std::log(by) - expected.logabsdet.item()) < 1e-3);
    CHECK(size_of(rc::eval(la::solve(x, x) - rc::eye<T>(rc::shape(2, 2)))) <
          1e5 * double(std::numeric_limits<T>::epsilon()));
  }
}
TEST_CASE("complex matrices that are singular") {
  rc::tensor<std::complex<double>, 2, 2> const zero{};
  CHECK(rc::eval(la::det(zero)).item() == 0.);
  CHECK(la::slogdet(zero).sign.item() == 0.);
  CHECK(la::slogdet(zero).logabsdet.item() == -INFINITY);
  CHECK(std::isnan(rc::eval(la::inv(zero))(0, 0).real()));
  CHECK_THROWS_WITH_AS(la::checked(la::inv(zero)), "inv: NaN at (0, 0)", la::error);
}
