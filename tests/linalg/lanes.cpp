// Batches of small matrices, which are computed side by side in SIMD lanes: of each number of them, at any strides,
// they have what each has alone, and what is singular is so in its member alone.
#include <doctest/doctest.h>

#include "matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

template <class T>
constexpr double eps = double(std::numeric_limits<T>::epsilon());

// whether two numbers are equal to some units of rounding of `size`, or both are NaN
template <class T>
bool is_near(T x, T y, double size) {
  if (x != x || y != y) return x != x && y != y;
  return x == y || std::abs(double(x) - double(y)) <= 200 * eps<T> * size;
}
template <class T>
bool are_near(matrix<T> const& x, matrix<T> const& y) {
  double size = 0;
  for (rc::index_t k = 0; k < y.size(); ++k)
    if (double const s = std::abs(double(y.data()[k])); s > size) size = s;
  for (rc::index_t k = 0; k < y.size(); ++k)
    if (!is_near(x.data()[k], y.data()[k], size)) return false;
  return x.size() == y.size();
}

// Some matrices, well conditioned ones, whose rows are exchanged by elimination; every fifth one has two equal rows, of
// small integers, so that it is exactly singular.
template <class T>
void fill_with_matrices(auto& all, int many, int n) {
  for (int m = 0; m < many; ++m)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        int const row = (i + m) % n;
        all(m, i, j) = T(row == j ? n + 1 : 0) + T(noise(unsigned(m * 1000 + i * n + j)));
        if (m % 5 == 3) all(m, i, j) = T(n == 1 ? 0 : i == n - 1 ? 1 : i == 0 ? 1 : i == j ? 2 : 0);
      }
}
template <class T, class A>
matrix<T> member(A const& all, int m) {
  matrix<T> a(int(all.shape(1)), int(all.shape(2)));
  for (int i = 0; i < a.shape(0); ++i)
    for (int j = 0; j < a.shape(1); ++j) a(i, j) = all(m, i, j);
  return a;
}

// what a batch has is what its members have alone
template <class T, class All, class Rights>
void are_as_alone(All const& all, Rights const& rights) {
  int const many = int(all.shape(0)), n = int(all.shape(1));
  CAPTURE(many);
  CAPTURE(n);
  auto const inverses = rc::eval(la::inv(all));
  auto const solutions = rc::eval(la::solve(all, rights));
  auto const determinants = rc::eval(la::det(all));
  auto const [sign, logabsdet] = la::slogdet(all);
  auto const [p, l, u] = la::lu(all);
  auto const lower = rc::eval(la::solve_triangular(all, rights));
  auto const upper = rc::eval(la::solve_triangular(all, rights, rc::upper));
  auto const unit = rc::eval(la::solve_triangular(all, rights, rc::lower, rc::unit_diagonal));
  auto const squares = rc::eval(rc::matmul(all, rc::matrix_transpose(all)));
  auto const factors = rc::eval(la::cholesky(squares));
  for (int m = 0; m < many; ++m) {
    CAPTURE(m);
    matrix<T> const a = member<T>(all, m), b = member<T>(rights, m), square = member<T>(squares, m);
    CHECK(are_near<T>(member<T>(inverses, m), la::inv(a)));
    CHECK(are_near<T>(member<T>(solutions, m), la::solve(a, b)));
    if (m % 5 != 3) CHECK(residual(b, a, member<T>(solutions, m)) < 30);
    T const d = rc::eval(la::det(a)).item();
    CHECK(is_near(determinants(m), d, std::abs(double(d))));
    auto const one = la::slogdet(a);
    CHECK(sign(m) == one.sign.item());
    CHECK(is_near(logabsdet(m), one.logabsdet.item(), n * 4.));
    auto const [p1, l1, u1] = la::lu(a);
    CHECK(are_near<T>(member<T>(p, m), p1));
    CHECK(are_near<T>(member<T>(l, m), l1));
    CHECK(are_near<T>(member<T>(u, m), u1));
    CHECK(are_near<T>(member<T>(lower, m), la::solve_triangular(a, b)));
    CHECK(are_near<T>(member<T>(upper, m), la::solve_triangular(a, b, rc::upper)));
    CHECK(are_near<T>(member<T>(unit, m), la::solve_triangular(a, b, rc::lower, rc::unit_diagonal)));
    if (m % 5 == 3) continue;
    matrix<T> const factor = member<T>(factors, m);
    CHECK(residual(square, factor, matrix<T>(factor.T())) < 30);
    CHECK(are_near<T>(factor, la::cholesky(square)));
  }
}
template <class T, int N>
void of_known_extents(int many) {
  rc::tensor<T, rc::dyn, N, N> all(many, N, N);
  rc::tensor<T, rc::dyn, N, 2> rights(many, N, 2);
  fill_with_matrices<T>(all, many, N);
  for (int m = 0; m < many; ++m)
    for (int i = 0; i < N; ++i) rights(m, i, 0) = T(i + 1), rights(m, i, 1) = T(noise(unsigned(m * 31 + i)));
  are_as_alone<T>(all, rights);
}
template <class T>
void of_any_extents(int many, int n) {
  rc::ndarray<T, 3> all(many, n, n), rights(many, n, 1);
  fill_with_matrices<T>(all, many, n);
  for (int m = 0; m < many; ++m)
    for (int i = 0; i < n; ++i) rights(m, i, 0) = T(noise(unsigned(m * 31 + i)));
  are_as_alone<T>(all, rights);
}

}  // namespace

TEST_CASE_TEMPLATE("batches of each size", T, double, float) {
  for (int many = 1; many <= 33; ++many) of_any_extents<T>(many, many % 7 + 1);
  for (int const n : {8, 11, 16, 17, 25}) of_any_extents<T>(19, n);
  for (int const many : {2, 7, 8, 33}) of_known_extents<T, 3>(many);
  of_known_extents<T, 4>(21);
}
TEST_CASE("known extents of many rows") {
  of_known_extents<double, 2>(9);
  of_known_extents<double, 9>(9);
}

TEST_CASE("views") {
  constexpr int many = 13, n = 3;
  rc::ndarray<double, 3> all(many, n, n), last(n, n, many);
  fill_with_matrices<double>(all, many, n);
  for (int m = 0; m < many; ++m)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) last(i, j, m) = all(m, i, j);
  rc::ndarray<double, 3> const expected = la::inv(all);
  auto const same = [&](rc::ndarray<double, 3> const& x, rc::ndarray<double, 3> const& y) {
    for (int m = 0; m < int(y.shape(0)); ++m)
      if (!are_near<double>(member<double>(x, m), member<double>(y, m))) return false;
    return x.size() == y.size();
  };
  CHECK(same(la::inv(rc::permute_dims(last, rc::axes<2, 0, 1>)), expected));  // the batch lies innermost
  rc::ndarray<double, 3> const turned = rc::matrix_transpose(all);
  CHECK(same(la::inv(rc::matrix_transpose(all)), la::inv(turned)));
  CHECK(same(la::inv(rc::flip(all, rc::axis<0>)), rc::flip(expected, rc::axis<0>)));
  rc::ndarray<double, 3> wide(many, n, 2 * n);
  wide(rc::all, rc::all, rc::range(1, n + 1)) = all;
  CHECK(same(la::inv(wide(rc::all, rc::all, rc::range(1, n + 1))), expected));
  wide(rc::all, rc::all, rc::range(2, n + 2)) = la::inv(all);  // results with gaps, which stay
  wide(0, 0, 0) = 7;
  CHECK(same(wide(rc::all, rc::all, rc::range(2, n + 2)), expected));
  rc::ndarray<double, 3> in_place = all;
  in_place = la::inv(in_place);
  CHECK(same(in_place, expected));
  // one matrix for all right-hand sides
  rc::ndarray<double, 2> const a = all(0);
  rc::ndarray<double, 3> rights(many, n, 1);
  for (int m = 0; m < many; ++m)
    for (int i = 0; i < n; ++i) rights(m, i, 0) = m + i;
  rc::ndarray<double, 3> const x = la::solve(a, rights);
  for (int m = 0; m < many; ++m) CHECK(are_near<double>(member<double>(x, m), la::solve(a, rights(m))));
  // batches of two axes, and by vmap
  rc::ndarray<double, 4> grid(2, many, n, n);
  grid(0) = all, grid(1) = rc::matrix_transpose(all);
  rc::ndarray<double, 2> const d = la::det(grid);
  for (int m = 0; m < many; ++m) {
    CHECK(is_near(d(0, m), d(1, m), 100));
    CHECK(is_near(d(0, m), rc::eval(la::det(all(m))).item(), 100));
  }
  auto const f = rc::vmap([](auto y) { return la::inv(y); });
  CHECK(same(f(all), expected));
}

TEST_CASE("threads do not change results") {
  constexpr int many = 2001, n = 4;
  rc::ndarray<double, 3> all(many, n, n);
  fill_with_matrices<double>(all, many, n);
  rc::ndarray<double, 3> const one = rc::eval(la::inv(all), rc::cpu{.threads = 1}),
                               four = rc::eval(la::inv(all), rc::cpu{.threads = 4});
  bool same = true;
  for (rc::index_t k = 0; k < one.size(); ++k)
    same = same &&
           (one.data()[k] == four.data()[k] || (one.data()[k] != one.data()[k] && four.data()[k] != four.data()[k]));
  CHECK(same);
}

TEST_CASE("special values stay in their member") {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (int const n : {2, 3, 4, 5, 9}) {
    CAPTURE(n);
    rc::ndarray<double, 3> all(8, n, n);
    for (int m = 0; m < 8; ++m)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) all(m, i, j) = i == j ? 2 : 0;
    all(1, 0, 0) = inf;
    all(2, n - 1, 0) = nan;
    all(3, 0, 0) = 0;
    all(4, 0, 0) = 1e-310;                              // whose reciprocal overflows
    for (int i = 0; i < n; ++i) all(5, i, i) = 1e200;   // whose determinant does
    for (int i = 0; i < n; ++i) all(6, i, i) = 1e-120;  // and is no number of full precision
    all(7, 0, 0) = -2;
    rc::ndarray<double, 3> const inverses = la::inv(all), factors = la::cholesky(all);
    rc::ndarray<double, 1> const d = la::det(all);
    for (int m = 0; m < 8; ++m) {
      CAPTURE(m);
      rc::ndarray<double, 2> const a = all(m), inverse = la::inv(a), factor = la::cholesky(a);
      for (int k = 0; k < n * n; ++k) {
        CHECK(is_near(inverses(m).data()[k], inverse.data()[k], 0));
        CHECK(is_near(factors(m).data()[k], factor.data()[k], 2));
      }
      CHECK(is_near(d(m), rc::eval(la::det(a)).item(), 0));
    }
    CHECK(inverses(1, 0, 0) == 0);
    CHECK(inverses(0, 0, 0) == .5);
    CHECK(inverses(3, 0, 0) != inverses(3, 0, 0));
    CHECK(factors(7, 0, 0) != factors(7, 0, 0));
    CHECK(factors(6, 1, 0) == 0);
  }
}

namespace {

// Eigenvalues of batches, in lanes up to 8 rows, and of one of them alone, which has loops of its own up to 3 rows.
template <class T>
void eigenvalues_of_batches(auto const& all, double bound) {
  int const many = int(all.shape(0)), n = int(all.shape(1));
  auto const [w, v] = la::eigh(all);
  auto const values = rc::eval(la::eigvalsh(all));
  for (int m = 0; m < many; ++m) {
    CAPTURE(m);
    matrix<T> const a = member<T>(all, m), vectors = member<T>(v, m);
    auto const [w1, v1] = la::eigh(a);
    double const size = largest(a), near = bound * n * eps<T> * (size > 0 ? size : 1);
    if (m % 13 >= 11) {
      CHECK(w(m, 0) != w(m, 0));
      CHECK(vectors(n - 1, 0) != vectors(n - 1, 0));
      CHECK(values(m, n - 1) != values(m, n - 1));
      CHECK(w1(0) != w1(0));
      continue;
    }
    matrix<T> scaled = vectors, scaled_alone = v1;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) scaled(i, j) *= w(m, j), scaled_alone(i, j) *= w1(j);
    CHECK(residual(a, scaled, matrix<T>(vectors.T())) < bound);
    CHECK(from_orthonormal(vectors) < bound);
    CHECK(residual(a, scaled_alone, matrix<T>(v1.T())) < bound);
    CHECK(from_orthonormal(v1) < bound);
    for (int k = 0; k < n; ++k) {
      CHECK((k == 0 || (w(m, k - 1) <= w(m, k) && w1(k - 1) <= w1(k))));
      CHECK(std::abs(double(values(m, k)) - double(w(m, k))) <= near);
      CHECK(std::abs(double(w1(k)) - double(w(m, k))) <= near);
    }
  }
}
template <class T, class All>
void fill_with_symmetric(All& all, int n) {
  for (int m = 0; m < all.shape(0); ++m) {
    matrix<T> const a = of_kind<T>(m % kind_count, n, n, unsigned(m + 1));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) all(m, i, j) = i > j ? a(j, i) : a(i, j);
    if (m % 13 == 11) all(m, n - 1, 0) = all(m, 0, n - 1) = std::numeric_limits<T>::quiet_NaN();
    if (m % 13 == 12) all(m, n - 1, n - 1) = std::numeric_limits<T>::infinity();
    // equal eigenvalues, and columns in the order of which nothing is left to do
    if (m % 13 == 10)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) all(m, i, j) = T(i == j ? 3 : m > 13 ? 0 : 1);
  }
}
template <class T, int N>
void symmetric_of_known_extents() {
  CAPTURE(N);
  rc::tensor<T, rc::dyn, N, N> all(61, N, N);
  fill_with_symmetric<T>(all, N);
  eigenvalues_of_batches<T>(all, 30);
}

}  // namespace

TEST_CASE_TEMPLATE("eigenvalues of batches, of which some are no numbers", T, double, float) {
  for (int n = 1; n <= 10; ++n) {
    CAPTURE(n);
    rc::ndarray<T, 3> all(n % 2 == 0 ? 61 : 37, n, n);
    fill_with_symmetric<T>(all, n);
    eigenvalues_of_batches<T>(all, 30);
  }
  symmetric_of_known_extents<T, 2>();
  symmetric_of_known_extents<T, 3>();
  symmetric_of_known_extents<T, 5>();
}

TEST_CASE("kinds of matrices") {
  for (int const n : {4, 6, 16}) {
    rc::ndarray<double, 3> all(kind_count, n, n), rights(kind_count, n, 1);
    for (int kind = 0; kind < kind_count; ++kind) {
      all(kind) = of_kind<double>(kind, n, n);
      for (int i = 0; i < n; ++i) rights(kind, i, 0) = noise(unsigned(kind * 100 + i));
    }
    rc::ndarray<double, 3> const x = la::solve(all, rights);
    auto const [p, l, u] = la::lu(all);
    for (int kind = 0; kind < kind_count; ++kind) {
      CAPTURE(kinds[kind]);
      CAPTURE(n);
      rc::ndarray<double, 2> const a = all(kind), moved = rc::matmul(p(kind).T(), a), b = rights(kind), y = x(kind);
      CHECK(residual(moved, rc::ndarray<double, 2>(l(kind)), rc::ndarray<double, 2>(u(kind))) < 30);
      double const size = largest(y);
      if (kind == 3 || kind == 4 || kind == 9 || !(size <= 1e300)) continue;  // singular, or beyond all numbers
      // |a x - b| / (n |a| |x| eps)
      double most = 0;
      for (int i = 0; i < n; ++i) {
        long double sum = -static_cast<long double>(b(i, 0));
        for (int j = 0; j < n; ++j) sum += static_cast<long double>(a(i, j)) * static_cast<long double>(y(j, 0));
        double const off = double(sum < 0 ? -sum : sum);
        most = off > most ? off : most;
      }
      CHECK(most / largest(a) / size / n / eps<double> < 30);
    }
  }
}
