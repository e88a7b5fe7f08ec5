// Products of complex matrices: extents around those of tiles and blocks, factors of any strides, rows and columns,
// static extents, batches, epilogues, threads. Parts are small integers, so that every sum is exact.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;
using C = std::complex<float>;
using Z = std::complex<double>;

namespace {

template <class T>
T number(rc::index_t k) {
  return T(float(k * 1103 % 7 - 3), float(k * 7919 % 5 - 2));
}
template <class T>
rc::ndarray<T, 2> matrix(rc::index_t m, rc::index_t n, int seed) {
  rc::ndarray<T, 2> a(m, n);
  for (rc::index_t i = 0; i < m * n; ++i) a.data()[i] = number<T>(i * 31 + seed);
  return a;
}
// element by element
template <class T, class A, class B>
rc::ndarray<T, 2> product(A const& a, B const& b) {
  rc::ndarray<T, 2> c(a.shape(0), b.shape(1));
  for (rc::index_t i = 0; i < c.shape(0); ++i)
    for (rc::index_t j = 0; j < c.shape(1); ++j) {
      Z sum{};
      for (rc::index_t k = 0; k < a.shape(1); ++k) {
        Z const x(a(i, k)), y(b(k, j));
        sum += Z(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
      }
      c(i, j) = T(sum);
    }
  return c;
}

template <class T>
void all_layouts(rc::index_t m, rc::index_t k, rc::index_t n, int threads = 1) {
  CAPTURE(m);
  CAPTURE(k);
  CAPTURE(n);
  rc::cpu const how{.threads = threads};
  rc::ndarray<T, 2> const a = matrix<T>(m, k, 1), b = matrix<T>(k, n, 2), at = rc::eval(a.T()), bt = rc::eval(b.T());
  rc::ndarray<T, 2> const c = product<T>(a, b);
  CHECK(rc::array_equal(rc::eval(rc::matmul(a, b), how), c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(at.T(), b), how), c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(a, bt.T()), how), c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(at.T(), bt.T()), how), c));
  rc::ndarray<T, 2> apart(2 * m, 2 * k);
  apart(rc::range(0, 2 * m, 2), rc::range(0, 2 * k, 2)) = a;
  CHECK(rc::array_equal(rc::eval(rc::matmul(apart(rc::range(0, 2 * m, 2), rc::range(0, 2 * k, 2)), b), how), c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(rc::conj(a), rc::conj(bt).T()), how), rc::eval(rc::conj(c))));
  rc::ndarray<T, 1> const row = rc::eval(matrix<T>(1, n, 3)(0, rc::all));
  CHECK(rc::array_equal(rc::eval(rc::matmul(a, bt.T()) * T(0, 1) + row, how), rc::eval(c * T(0, 1) + row)));
}
template <class T>
void vectors(rc::index_t m, rc::index_t n) {
  CAPTURE(m);
  CAPTURE(n);
  rc::ndarray<T, 2> const a = matrix<T>(m, n, 1), x = matrix<T>(n, 1, 2), y = matrix<T>(m, 1, 3);
  CHECK(rc::array_equal(rc::eval(rc::matmul(a, x(rc::all, 0))), rc::eval(product<T>(a, x)(rc::all, 0))));
  CHECK(rc::array_equal(rc::eval(rc::matmul(a.T(), y(rc::all, 0))),
                        rc::eval(product<T>(rc::eval(a.T()), y)(rc::all, 0))));
  CHECK(rc::array_equal(rc::eval(rc::matmul(y(rc::all, 0), a)), rc::eval(product<T>(rc::eval(y.T()), a)(0, rc::all))));
}
template <class T, rc::index_t M, rc::index_t K, rc::index_t N>
void of_static_extents() {
  CAPTURE(M);
  CAPTURE(K);
  CAPTURE(N);
  rc::tensor<T, 3, M, K> a;
  rc::tensor<T, 3, K, N> b;
  rc::tensor<T, K> x;
  for (rc::index_t i = 0; i < 3 * M * K; ++i) a.data()[i] = number<T>(i + 1);
  for (rc::index_t i = 0; i < 3 * K * N; ++i) b.data()[i] = number<T>(i + 2);
  for (rc::index_t i = 0; i < K; ++i) x(i) = number<T>(i + 3);
  rc::tensor<T, 3, M, N> const all = rc::matmul(a, b), added = rc::matmul(a, b) + T(1, 2);
  rc::tensor<T, 3, M> const column = rc::matmul(a, x);
  for (int k = 0; k < 3; ++k) {
    rc::tensor<T, M, K> const p = rc::eval(a(k));
    rc::tensor<T, K, N> const q = rc::eval(b(k));
    rc::ndarray<T, 2> const c = product<T>(p, q);
    CHECK(rc::array_equal(all(k), c));
    CHECK(rc::array_equal(added(k), rc::eval(c + T(1, 2))));
    CHECK(rc::array_equal(rc::eval(rc::matmul(p, q)), c));
    CHECK(rc::array_equal(rc::eval(rc::matmul(q.T(), p.T())), rc::eval(c.T())));
    rc::ndarray<T, 2> const of_x = product<T>(p, rc::eval(rc::reshape(x, rc::extents<K, 1>{})));
    CHECK(rc::array_equal(column(k), rc::eval(of_x(rc::all, 0))));
    CHECK(rc::array_equal(rc::eval(rc::matmul(p, x)), rc::eval(of_x(rc::all, 0))));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("complex products of any extents and strides", T, C, Z) {
  for (rc::index_t const m : {1, 2, 3, 4, 5, 9}) {
    all_layouts<T>(m, 3, 2);
    all_layouts<T>(m, 1, 17);
    all_layouts<T>(m, 33, 7);
    all_layouts<T>(m, 20, 40);
  }
  all_layouts<T>(50, 300, 70);
  all_layouts<T>(61, 270, 140, 2);
  all_layouts<T>(3, 0, 5);
  for (rc::index_t const n : {1, 2, 5, 16, 33, 150}) {
    vectors<T>(n, 13);
    vectors<T>(13, n);
    vectors<T>(150, n);
  }
}
TEST_CASE_TEMPLATE("complex products of static extents", T, C, Z) {
  of_static_extents<T, 2, 2, 2>();
  of_static_extents<T, 3, 5, 7>();
  of_static_extents<T, 4, 4, 4>();
  of_static_extents<T, 10, 11, 18>();
}
TEST_CASE("the derivative of a complex product") {
  rc::ndarray<Z, 2> const a = matrix<Z>(5, 12, 1), b = matrix<Z>(12, 9, 2);
  auto const f = [](auto x, auto y) { return rc::real(rc::sum(rc::matmul(x, y) * Z(1, 2))); };
  auto const [by_a, by_b] = rc::grad<0, 1>(f)(a, b);
  rc::ndarray<Z, 2> const ones = rc::full<Z>(rc::shape(5, 9), Z(1, 2));
  CHECK(rc::array_equal(by_a, product<Z>(ones, rc::eval(b.T()))));
  CHECK(rc::array_equal(by_b, product<Z>(rc::eval(a.T()), ones)));
}
