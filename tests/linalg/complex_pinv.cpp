// What goes by singular values of complex matrices (pseudo-inverses, least squares, ranks, polar factors), and norms of
// complex numbers: what defines them, and derivatives in both modes and of order 2.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>

#include "agrees.hpp"
#include "complex_matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

// Moore and Penrose's four conditions, in units of the sizes of both
template <class T>
void pseudo_inverted(int kind, int m, int n, int rank) {
  using C = std::complex<T>;
  matrix<C> a = complex_of_kind<T>(kind, m, n);
  if (rank < m && rank < n) a = rc::matmul(complex_of_kind<T>(kind, m, rank), complex_of_kind<T>(kind, rank, n, 7));
  matrix<C> const y = la::pinv(a), ay = rc::matmul(a, y), ya = rc::matmul(y, a);
  double const eps = 100 * (m + n) * double(std::numeric_limits<T>::epsilon()), size = size_of(a) * size_of(y);
  CHECK(size_of_residual(a, ay, a) <= eps * size * size_of(a));
  CHECK(size_of_residual(y, ya, y) <= eps * size * size_of(y));
  CHECK(size_of(rc::eval(ay - adjoint<T>(ay))) <= eps * size);
  CHECK(size_of(rc::eval(ya - adjoint<T>(ya))) <= eps * size);
  static_assert(std::is_same_v<typename decltype(rc::eval(la::matrix_rank(a)))::value_type, std::int64_t>);
  CHECK(rc::eval(la::matrix_rank(a)).item() == rank);
  matrix<C> const b = complex_of_kind<T>(kind, m, 2, 5);
  auto const [x, residuals, k, s] = la::lstsq(a, b, la::all_results);
  static_assert(std::is_same_v<typename decltype(residuals)::value_type, T>);
  CHECK(size_of_residual(x, y, b) <= eps * size_of(y) * size_of(b));
  CHECK(k.item() == rank);
  matrix<C> const left = b - rc::matmul(a, x);
  for (int j = 0; j < 2; ++j) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += std::norm(std::complex<double>(left(i, j)));
    CHECK(std::abs(sum - double(residuals(j))) <= eps * (1 + sum));
  }
  auto const empty = la::null_space(a), range = la::orth(a);
  CHECK(empty.shape(1) == n - rank);
  CHECK(range.shape(1) == rank);
  if (rank < n) CHECK(size_of(rc::eval(rc::matmul(a, empty))) <= eps * size_of(a));
  if (rank < (m < n ? m : n)) return;
  auto const [u, p] = la::polar(a);
  CHECK(size_of_residual(a, u, p) <= eps * size_of(a));
  CHECK(size_of(rc::eval(p - adjoint<T>(p))) <= eps * size_of(a));
  matrix<C> const h = m < n ? u : adjoint<T>(u), one = rc::matmul(h, adjoint<T>(h));
  CHECK(size_of(rc::eval(one - rc::eye<T>(rc::shape(one.shape(0), one.shape(0))))) <= eps);
  for (T const w : rc::eval(la::eigvalsh(p))) CHECK(double(w) >= -eps * size_of(a));
}

}  // namespace

TEST_CASE_TEMPLATE("pseudo-inverses, least squares, ranks and polar factors of complex matrices", T, float, double) {
  for (int const kind : {0, 1})
    for (auto const& s : {std::array{1, 1, 1}, {4, 4, 4}, {3, 5, 3}, {6, 4, 4}, {6, 5, 2}, {20, 20, 20}}) {
      CAPTURE(kinds[kind]);
      CAPTURE(s[0]);
      pseudo_inverted<T>(kind, s[0], s[1], s[2]);
    }
  matrix<std::complex<T>> const zero(3, 2);
  CHECK(size_of(rc::eval(la::pinv(zero))) == 0);
  CHECK(rc::eval(la::matrix_rank(zero)).item() == 0);
}
TEST_CASE("norms of complex vectors and matrices") {
  rc::tensor<std::complex<double>, 2, 2> const m{{{3, 4}, {0, -12}}, {{0, 0}, {5, 0}}};
  auto const near = [](auto const& x, double y) {
    static_assert(std::is_same_v<typename decltype(rc::eval(x))::value_type, double>);
    CHECK(std::abs(rc::eval(x).item() - y) <= 1e-14 * y);
  };
  near(la::vector_norm(m), std::sqrt(194.));
  near(la::vector_norm(m, la::ord<1>), 22);
  near(la::vector_norm(m, la::ord<la::inf>), 12);
  near(la::vector_norm(m, la::ord<-la::inf>), 0);
  near(la::vector_norm(m, la::ord<0>), 3);
  near(la::vector_norm(m, la::ord<3>), std::cbrt(125. + 1728 + 125));
  near(la::matrix_norm(m), std::sqrt(194.));
  near(la::matrix_norm(m, la::ord<1>), 17);
  near(la::matrix_norm(m, la::ord<la::inf>), 17);
  double const s = rc::eval(la::svdvals(m))(0), t = 25 / s;  // their product is |det|
  near(la::matrix_norm(m, la::ord<2>), s);
  near(la::matrix_norm(m, la::nuc), s + t);
  near(la::cond(m), s / t);
  near(la::cond(m, la::ord<1>), 17 * 17. / 25);
  near(la::vector_norm(rc::eval(1e300 * m)), 1e300 * std::sqrt(194.));
  near(la::matrix_norm(rc::eval(1e-300 * m)), 1e-300 * std::sqrt(194.));
  near(rc::norm(m), std::sqrt(194.));
  // the mean is 2 - 2i, squares of what is left 37, 104, 8, 13
  near(rc::var(m), 162 / 4.);
  near(rc::std(m, rc::correction(1)), std::sqrt(162 / 3.));
  rc::tensor<std::complex<float>, 2> const single{{3, 4}, {0, 0}};
  static_assert(std::is_same_v<typename decltype(rc::eval(rc::norm(single)))::value_type, float>);
  CHECK(rc::eval(la::vector_norm(single, la::ord<2>, rc::axis<0>, rc::keepdims))(0) == 5);
}
TEST_CASE("derivatives of pseudo-inverses, polar factors and norms of complex matrices") {
  rc::tensor<std::complex<double>, 3, 3> const square{
      {{4, 1}, {1, -2}, {0, .5}}, {{1, 2}, {5, 0}, {1, 1}}, {{-1, 0}, {2, -1}, {3, -1}}};
  rc::tensor<std::complex<double>, 3> const right{{1, -1}, {0, 2}, {3, .5}};
  auto const wide = complex_of_kind<double>(0, 2, 3), high = complex_of_kind<double>(0, 3, 2);
  auto const pinv = [](auto m) { return la::pinv(m); };
  agrees("pinv, wide", pinv, wide);
  agrees("pinv, high", pinv, high);
  agrees(
      "lstsq", [](auto m, auto y) { return la::lstsq(m, y); }, high, right);
  auto const polar = [](auto m) { return std::pair(la::polar(m).U, la::polar(m).P); };
  agrees("polar", polar, square);
  agrees("polar, high", polar, high);
  agrees(
      "norms",
      [](auto m) {
        return std::tuple(la::matrix_norm(m), la::matrix_norm(m, la::nuc), la::matrix_norm(m, la::ord<1>), la::cond(m),
                          la::vector_norm(m, la::ord<3>), rc::norm(m), rc::std(m));
      },
      square);
}
