// Small matrices whose extents the compiler knows, alone and in batches, whose loops are compiled for these extents:
// they have what matrices of extents that show at run time have, at any strides, in place, in functions, and by
// threads.
#include <doctest/doctest.h>

#include "matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

// whether two results are equal up to the rounding of sums in another order; NaN is equal to NaN
template <class X, class Y>
bool is_near(X const& x, Y const& y) {
  using T = std::remove_cvref_t<decltype(x.data()[0])>;
  double size = 1;
  for (rc::index_t k = 0; k < y.size(); ++k)
    if (double const s = std::abs(double(y.data()[k])); s > size) size = s;
  for (rc::index_t k = 0; k < y.size(); ++k) {
    double const a = double(x.data()[k]), b = double(y.data()[k]);
    if ((a != a) != (b != b)) return false;
    if (std::abs(a - b) > 1e3 * double(std::numeric_limits<T>::epsilon()) * size) return false;
  }
  return x.size() == y.size();
}

template <class T, int N>
void as_those_of_any_size() {
  CAPTURE(N);
  constexpr int many = 5;
  rc::tensor<T, rc::dyn, N, N> some(many, N, N);
  rc::ndarray<T, 3> others(many, N, N);
  for (int m = 0; m < many; ++m) {
    matrix<T> const a = of_kind<T>(0, N, N, unsigned(m + 1));
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)  // the last but one is singular and not positive definite
        some(m, i, j) = others(m, i, j) = m == 3 ? T(0) : (i == j ? T(2 * N) : T(0)) + a(i, j) + a(j, i);
  }
  rc::tensor<T, N> right;
  for (int i = 0; i < N; ++i) right(i) = T(i + 1);
  rc::ndarray<T, 1> const any_right = right;

  rc::tensor<T, rc::dyn, N, N> const inverses = la::inv(some), factors = la::cholesky(some);
  rc::tensor<T, rc::dyn> const determinants = la::det(some);
  rc::ndarray<T, 3> const all_inverses = la::inv(others), all_factors = la::cholesky(others);
  rc::ndarray<T, 1> const all_determinants = la::det(others);
  CHECK(is_near(inverses, all_inverses));
  CHECK(is_near(factors, all_factors));
  CHECK(is_near(determinants, all_determinants));
  CHECK(inverses(3, 0, 0) != inverses(3, 0, 0));
  CHECK(factors(3, N - 1, N - 1) != factors(3, N - 1, N - 1));
  CHECK(inverses(4, 0, 0) == inverses(4, 0, 0));

  for (int m = 0; m < many; ++m) {
    CAPTURE(m);
    rc::tensor<T, N, N> const a = some(m);
    matrix<T> const any = others(m);
    CHECK(is_near(rc::tensor<T, N, N>(la::inv(a)), matrix<T>(la::inv(any))));
    CHECK(is_near(rc::tensor<T, N, N>(la::cholesky(a)), matrix<T>(la::cholesky(any))));
    CHECK(is_near(rc::tensor<T>(la::det(a)), rc::ndarray<T, 0>(la::det(any))));
    CHECK(is_near(rc::tensor<T, N>(la::solve(a, right)), rc::ndarray<T, 1>(la::solve(any, any_right))));
    // of a transpose, in place, and within a function
    rc::tensor<T, N, N> skew = a, turned;
    if constexpr (N > 1) skew(0, N - 1) += T(1);
    turned = skew.T();
    CHECK(is_near(rc::tensor<T, N, N>(la::inv(skew.T())), rc::tensor<T, N, N>(la::inv(turned))));
    rc::tensor<T, N, N> at = skew;
    at = la::inv(at);
    CHECK(is_near(at, rc::tensor<T, N, N>(la::inv(skew))));
    at = skew;
    at = la::inv(at.T());
    CHECK(is_near(at, rc::tensor<T, N, N>(la::inv(turned))));
    auto const f = rc::fn([](auto x, auto y) { return rc::sum(la::solve(x, y)) + la::det(x); });
    double const expected = double(rc::eval(rc::sum(la::solve(any, any_right)) + la::det(any)).item()),
                 found = double(rc::eval(f(a, right)).item());
    CHECK(((found != found && expected != expected) ||
           std::abs(found - expected) <= 1e3 * double(std::numeric_limits<T>::epsilon()) * (1 + std::abs(expected))));
  }
}

// of one right-hand side: |a x - b| / (n |a| |x| eps), and determinants beside those of matrices of any size
template <int N>
void kinds_of_matrices() {
  CAPTURE(N);
  rc::tensor<double, N> b;
  for (int i = 0; i < N; ++i) b(i) = noise(unsigned(i + 77));
  for (int kind = 0; kind < kind_count; ++kind) {
    CAPTURE(kind);
    matrix<double> const any = of_kind<double>(kind, N, N);
    rc::tensor<double, N, N> const a = any;
    rc::tensor<double, N> const x = la::solve(a, b);
    rc::ndarray<double, 1> const any_x = la::solve(any, rc::ndarray<double, 1>(b));
    double const d = rc::eval(la::det(a)).item(), any_d = rc::eval(la::det(any)).item();
    if (kind != 1 && kind != 3 && kind != 7)
      CHECK(((d != d && any_d != any_d) || d == any_d || d == doctest::Approx(any_d)));
    double size = 0, most = 0;
    for (int i = 0; i < N; ++i) {
      CHECK((x(i) != x(i)) == (any_x(i) != any_x(i)));
      size = std::abs(x(i)) > size ? std::abs(x(i)) : size;
    }
    if (kind == 3 || kind == 4 || kind == 9 || !(size <= 1e300)) continue;  // singular, or beyond all numbers
    for (int i = 0; i < N; ++i) {
      long double sum = -static_cast<long double>(b(i));
      for (int j = 0; j < N; ++j) sum += static_cast<long double>(any(i, j)) * static_cast<long double>(x(j));
      double const off = std::abs(double(sum));
      most = off > most ? off : most;
    }
    CHECK(most / largest(any) / size / N / std::numeric_limits<double>::epsilon() < 30);
  }
  // infinity counts as a number, NaN and pivots without a reciprocal do not stop elimination
  for (double const special :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e-310}) {
    rc::tensor<double, N, N> a;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a(i, j) = i == j ? i == 1 ? special : 2 : 0;
    rc::ndarray<double, 2> const any = a;
    rc::tensor<double, N> const x = la::solve(a, b);
    rc::ndarray<double, 1> const any_x = la::solve(any, rc::ndarray<double, 1>(b));
    for (int i = 0; i < N; ++i) CHECK((x(i) == any_x(i) || (x(i) != x(i) && any_x(i) != any_x(i))));
    double const d = rc::eval(la::det(a)).item(), any_d = rc::eval(la::det(any)).item();
    CHECK(((d != d && any_d != any_d) || d == any_d || d == doctest::Approx(any_d)));
  }
}

}  // namespace

TEST_CASE("kinds of matrices") {
  kinds_of_matrices<3>();
  kinds_of_matrices<4>();
  kinds_of_matrices<6>();
  kinds_of_matrices<8>();
  kinds_of_matrices<9>();
  kinds_of_matrices<16>();
}

TEST_CASE_TEMPLATE("as those of any size", T, double, float) {
  as_those_of_any_size<T, 1>();
  as_those_of_any_size<T, 2>();
  as_those_of_any_size<T, 3>();
  as_those_of_any_size<T, 4>();
  as_those_of_any_size<T, 7>();
  as_those_of_any_size<T, 8>();
  if constexpr (sizeof(T) == 8) as_those_of_any_size<T, 9>();
}

TEST_CASE("none and long ones") {
  rc::tensor<double, 0, 0> const none{};
  CHECK(rc::eval(la::det(none)).item() == 1);
  rc::tensor<double, 0, 3, 3> const no_matrices{};
  CHECK(rc::eval(la::det(no_matrices)).size() == 0);
  rc::tensor<double, 40, 40> long_one;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j) long_one(i, j) = i == j ? 2 : 0;
  CHECK(rc::eval(la::det(long_one)).item() == 1099511627776.);
}
