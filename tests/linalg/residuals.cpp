// What factorisations leave of matrices that are well and ill conditioned, graded, singular, near overflow and
// underflow, in float and double, of all shapes.
#include <doctest/doctest.h>

#include "matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

template <class X>
bool is_upper(X const& r) {
  for (int i = 0; i < r.shape(0); ++i)
    for (int j = 0; j < i && j < r.shape(1); ++j)
      if (r(i, j) != 0) return false;
  return true;
}
template <class T>
matrix<T> scaled_columns(matrix<T> const& a, rc::ndarray<T, 1> const& s) {
  return rc::eval(a * s);
}

template <class T>
void all_of(int kind, int m, int n) {
  matrix<T> const a = of_kind<T>(kind, m, n);
  {
    auto const [p, l, u] = la::lu(a);
    CHECK(residual(a, matrix<T>(rc::matmul(p, l)), u) < 30);
    CHECK(is_upper(u));
    CHECK(is_upper(matrix<T>(l.T())));
    CHECK((m == 0 || n == 0 || largest(l) == 1));
  }
  {
    auto const [q, r] = la::qr(a);
    CHECK(residual(a, q, r) < 30);
    CHECK(from_orthonormal(q) < 30);
    CHECK(is_upper(r));
    auto const [whole, high] = la::qr(a, rc::complete);
    CHECK(residual(a, whole, high) < 30);
    CHECK(from_orthonormal(whole) < 30);
  }
  {
    auto const [u, s, vh] = la::svd(a, rc::full_matrices<false>);
    CHECK(residual(a, scaled_columns<T>(u, s), vh) < 30);
    CHECK(from_orthonormal(u) < 30);
    CHECK(from_orthonormal(matrix<T>(vh.T())) < 30);
    for (int k = 0; k + 1 < s.shape(0); ++k) CHECK(s(k) >= s(k + 1));
    auto const values = rc::eval(la::svdvals(a));
    for (int k = 0; k < s.shape(0); ++k)
      CHECK(std::abs(double(values(k)) - double(s(k))) <=
            30 * double(std::numeric_limits<T>::epsilon()) * double(s(0)));
    auto const [left, same, right] = la::svd(a);
    CHECK(from_orthonormal(left) < 30);
    CHECK(from_orthonormal(matrix<T>(right.T())) < 30);
    CHECK(left.shape(0) == left.shape(1));
    CHECK(right.shape(0) == n);
  }
}
template <class T>
void all_of_symmetric(int kind, int n) {
  matrix<T> a = of_kind<T>(kind, n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) a(i, j) = a(j, i);
  auto const [w, v] = la::eigh(a);
  CHECK(residual(a, scaled_columns<T>(v, w), matrix<T>(v.T())) < 30);
  CHECK(from_orthonormal(v) < 30);
  for (int k = 0; k + 1 < n; ++k) CHECK(w(k) <= w(k + 1));
  auto const values = rc::eval(la::eigvalsh(a));
  double const size = largest(a);
  for (int k = 0; k < n; ++k)
    CHECK(std::abs(double(values(k)) - double(w(k))) <= 30 * n * double(std::numeric_limits<T>::epsilon()) * size);
  if (kind == 0 || kind == 5) {  // positive definite: a and a diagonal
    T const more = T(kind == 5 ? double(std::numeric_limits<T>::max()) / 8 : double(n));
    for (int i = 0; i < n; ++i) a(i, i) += more;
    matrix<T> const l = la::cholesky(a);
    CHECK(residual(a, l, matrix<T>(l.T())) < 30);
    CHECK(is_upper(matrix<T>(l.T())));
    CHECK(largest(rc::eval(la::cholesky(a, rc::upper) - l.T())) == 0);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("factors multiply to the matrix, and are what they are to be", T, float, double) {
  int const shapes[][2] = {{0, 0}, {1, 1},   {2, 2}, {3, 3},   {1, 4},   {5, 1},  {7, 4},
                           {4, 9}, {10, 10}, {0, 3}, {33, 20}, {17, 40}, {24, 24}};
  for (int kind = 0; kind < kind_count; ++kind)
    for (auto const& s : shapes) {
      CAPTURE(kinds[kind]);
      CAPTURE(s[0]);
      CAPTURE(s[1]);
      all_of<T>(kind, s[0], s[1]);
      if (s[0] == s[1]) all_of_symmetric<T>(kind, s[0]);
    }
  all_of<T>(0, 50, 67);
  all_of_symmetric<T>(0, 67);
}

TEST_CASE_TEMPLATE("solutions have small residuals", T, float, double) {
  for (int const n : {0, 1, 2, 3, 4, 5, 17, 40})
    for (int const columns : {1, 3, 8}) {
      CAPTURE(n);
      CAPTURE(columns);
      matrix<T> const a = of_kind<T>(0, n, n), b = of_kind<T>(0, n, columns, 5);
      auto const within = [&](auto const& coefficients, auto const& x, auto const& right) {  // of |a| |x|
        double const size = largest(coefficients) * largest(x) * n, left = residual(right, coefficients, x);
        return left * (largest(right) > 0 ? largest(right) : 1) <= 30 * (size > 0 ? size : 1);
      };
      CHECK(within(a, matrix<T>(la::solve(a, b)), b));
      matrix<T> const l = rc::tril(a), u = rc::triu(a);
      CHECK(within(l, matrix<T>(la::solve_triangular(a, b)), b));
      CHECK(within(u, matrix<T>(la::solve_triangular(a, b, rc::upper)), b));
      matrix<T> unit = l;
      for (int i = 0; i < n; ++i) unit(i, i) = 1;
      CHECK(within(unit, matrix<T>(la::solve_triangular(a, b, rc::lower, rc::unit_diagonal)), b));
      CHECK(within(matrix<T>(unit.T()), matrix<T>(la::solve_triangular(a.T(), b, rc::upper, rc::unit_diagonal)), b));
      for (int const kind : {0, 1, 2}) {  // with little and with much cancellation
        matrix<T> const other = of_kind<T>(kind, n, n);
        if (n > 0) CHECK(within(other, matrix<T>(la::inv(other)), matrix<T>(rc::eye<T>(rc::shape(n, n)))));
      }
    }
}

TEST_CASE("singular values of rows that rounding turns to and fro") {
  // one of some ten thousand matrices of random numbers
  matrix<float> const a = rc::tensor<float, 7, 4>{
      {-2.342322826f, -.759625316f, 1.98141098f, 1.892833233f}, {-.037190218f, .387207091f, .528933465f, .457698673f},
      {.984651148f, 1.309775352f, -.315424711f, -1.406402469f}, {-.200247586f, .351511359f, -.070847124f, .535724819f},
      {-1.082683563f, -.697332621f, .113792367f, .714649737f},  {-.453757286f, .442723453f, .003657903f, .193819776f},
      {-1.285052776f, -.143710628f, -.418599397f, .877100706f}};
  auto const [u, s, v] = la::svd(a, rc::full_matrices<false>);
  CHECK(residual(a, scaled_columns<float>(u, s), v) < 30);
  CHECK(from_orthonormal(u) < 30);
  CHECK(s(3) == doctest::Approx(.646770703).epsilon(1e-5));
}

TEST_CASE("singular values that are small are as accurate as large ones") {
  // rows of a matrix that is well conditioned, scaled: of its values the least is known to all digits
  rc::tensor<double, 3, 3> const d{{1, 0, 0}, {0, 1e-8, 0}, {0, 0, 1e-16}};
  rc::tensor<double, 3, 3> const a{{1, .5, .25}, {.5, 1, .5}, {.25, .5, 1}};
  auto const s = rc::eval(la::svdvals(rc::matmul(d, a)));
  double const product = 1e-24 * rc::eval(la::det(a)).item();
  CHECK(s(0) * s(1) * s(2) == doctest::Approx(product).epsilon(1e-13));
  CHECK(s(2) > 0);
}

TEST_CASE("singular values that are known: of a triangle of ones, and of a shift") {
  for (int const n : {5, 15, 16, 60}) {
    CAPTURE(n);
    matrix<double> ones(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) ones(i, j) = j <= i;
    auto const s = rc::eval(la::svdvals(ones)), t = la::svd(matrix<double>(ones.T()), rc::full_matrices<false>).S;
    for (int k = 0; k < n; ++k) {
      double const exact = .5 / std::sin((2 * k + 1) * 3.14159265358979323846 / (4 * n + 2));
      CHECK(std::abs(s(k) - exact) < 3e-16 * n * s(0));
      CHECK(std::abs(t(k) - exact) < 3e-16 * n * s(0));
    }
    auto const shift = la::svd(of_kind<double>(9, n, n)).S;
    for (int k = 0; k < n; ++k) CHECK(shift(k) == (k + 1 < n));
  }
}

TEST_CASE("Moore and Penrose's conditions") {
  for (auto const& s : {std::pair(5, 3), std::pair(3, 5), std::pair(4, 4), std::pair(6, 1)})
    for (int const kind : {0, 3, 4}) {
      CAPTURE(s.first);
      CAPTURE(kinds[kind]);
      matrix<double> const a = of_kind<double>(kind, s.first, s.second), y = la::pinv(a);
      matrix<double> const ay = rc::matmul(a, y), ya = rc::matmul(y, a);
      CHECK(largest(rc::eval(rc::matmul(ay, a) - a)) < 1e-13);
      CHECK(largest(rc::eval(rc::matmul(ya, y) - y)) < 1e-13);
      CHECK(largest(rc::eval(ay - ay.T())) < 1e-13);
      CHECK(largest(rc::eval(ya - ya.T())) < 1e-13);
      int const least = s.first < s.second ? s.first : s.second;
      CHECK(rc::eval(la::matrix_rank(a)).item() == (kind == 0 ? least : kind == 3 ? 1 : 0));
    }
}
