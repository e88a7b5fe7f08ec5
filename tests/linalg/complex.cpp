// Complex matrices: residuals, what holds of adjoints, derivatives in both modes and of order 2, batches, and what
// cannot be factored.
#include <doctest/doctest.h>

#include <complex>

#include "../numbers.hpp"
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

rc::tensor<std::complex<double>, 3, 3> const a{
    {{4, 1}, {1, -2}, {0, .5}}, {{1, 2}, {5, 0}, {1, 1}}, {{-1, 0}, {2, -1}, {3, -1}}};
rc::tensor<std::complex<double>, 3> const b{{1, -1}, {0, 2}, {3, .5}};

template <class F, class... X>
void agrees(char const* name, F const& f, X const&... x) {
  CAPTURE(name);
  auto const report = rc::check_grads(f, x..., {.order = 2});
  CHECK_MESSAGE(bool(report), report.text());
}

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
TEST_CASE("complex matrices that are singular") {
  rc::tensor<std::complex<double>, 2, 2> const zero{};
  CHECK(rc::eval(la::det(zero)).item() == 0.);
  CHECK(la::slogdet(zero).sign.item() == 0.);
  CHECK(la::slogdet(zero).logabsdet.item() == -INFINITY);
  CHECK(std::isnan(rc::eval(la::inv(zero))(0, 0).real()));
  CHECK_THROWS_WITH_AS(la::checked(la::inv(zero)), "inv: NaN at (0, 0)", la::error);
}
