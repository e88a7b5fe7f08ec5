// Products that go through panels of B and tiles of A: extents around those of blocks, factors of any strides,
// epilogues, and the same bits with any number of threads. Elements are small integers, so that sums are exact; a
// product is right if it times a vector is A times B times that vector, and from the left.
#include <type_traits>

#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class T>
rc::ndarray<T, 2> integers(rc::index_t m, rc::index_t n, int seed) {
  rc::ndarray<T, 2> a(m, n);
  rc::index_t x = seed;
  for (rc::index_t i = 0; i < m * n; ++i) x = (x * 1103 + 12345) % 65537, a.data()[i] = T(x % 7 - 3);
  return a;
}
rc::ndarray<double, 1> weights(rc::index_t n) {
  rc::ndarray<double, 1> w(n);
  for (rc::index_t i = 0; i < n; ++i) w(i) = double(i * 7919 % 101 + 1);
  return w;
}
// a x, or x a
template <class M>
rc::ndarray<double, 1> times(M const& a, rc::ndarray<double, 1> const& x, bool from_left = false) {
  rc::index_t const n = from_left ? a.shape(1) : a.shape(0), depth = from_left ? a.shape(0) : a.shape(1);
  rc::ndarray<double, 1> y(n);
  for (rc::index_t i = 0; i < n; ++i) {
    double sum = 0;
    for (rc::index_t k = 0; k < depth; ++k) sum += double(from_left ? a(k, i) : a(i, k)) * x(k);
    y(i) = sum;
  }
  return y;
}
template <class A, class B, class C>
bool is_product(A const& a, B const& b, C const& c) {
  auto const from_right = times(c, weights(c.shape(1))), right = times(a, times(b, weights(c.shape(1))));
  auto const from_left = times(c, weights(c.shape(0)), true),
             left = times(b, times(a, weights(c.shape(0)), true), true);
  rc::index_t wrong = 0;
  for (rc::index_t i = 0; i < c.shape(0); ++i) wrong += from_right(i) != right(i);
  for (rc::index_t i = 0; i < c.shape(1); ++i) wrong += from_left(i) != left(i);
  return wrong == 0;
}

template <class T>
void all_layouts(rc::index_t m, rc::index_t k, rc::index_t n, int threads) {
  CAPTURE(m);
  CAPTURE(k);
  CAPTURE(n);
  CAPTURE(threads);
  rc::cpu const how{.threads = threads};
  rc::ndarray<T, 2> const a = integers<T>(m, k, 1), b = integers<T>(k, n, 2), at = rc::eval(a.T()),
                          bt = rc::eval(b.T());
  rc::ndarray<T, 2> const c = rc::eval(rc::matmul(a, b), how);
  CHECK(is_product(a, b, c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(at.T(), b), how), c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(a, bt.T()), how), c));
  CHECK(rc::array_equal(rc::eval(rc::matmul(at.T(), bt.T()), how), c));
  // neither rows nor columns are dense
  rc::ndarray<T, 2> apart(2 * m, 2 * k);
  apart(rc::range(0, 2 * m, 2), rc::range(0, 2 * k, 2)) = a;
  auto const every_other = apart(rc::range(0, 2 * m, 2), rc::range(0, 2 * k, 2));
  CHECK(rc::array_equal(rc::eval(rc::matmul(every_other, b), how), c));
  // an epilogue, and what is added to
  rc::ndarray<T, 1> const row = rc::eval(b(0, rc::all));
  rc::ndarray<T, 2> const expected = rc::eval(rc::maximum(c + row, T(0)));
  CHECK(rc::array_equal(rc::eval(rc::maximum(rc::matmul(a, b) + row, T(0)), how), expected));
  CHECK(rc::array_equal(rc::eval(rc::maximum(rc::matmul(at.T(), bt.T()) + row, T(0)), how), expected));
  rc::ndarray<T, 2> sum = rc::eval(T(1) * c, how);
  sum += rc::matmul(at.T(), b);
  CHECK(rc::array_equal(sum, rc::eval(T(2) * c)));
}

}  // namespace

TEST_CASE_TEMPLATE("products in panels and tiles", T, float, double) {
  all_layouts<T>(97, 530, 70, 1);
  all_layouts<T>(18, 1200, 130, 1);
  all_layouts<T>(513, 90, 65, 3);
  all_layouts<T>(260, 171, 39, 1);
  all_layouts<T>(81, 515, 257, 2);
  // several tiles to a panel, one of which has a row less; a part of a pack behind two others
  all_layouts<T>(47, 40, 41, 1);
  all_layouts<T>(100, 100, 100, 2);
  all_layouts<T>(150, 20, 10, 1);
}

TEST_CASE("A in several parts") {  // 6 MB of tiles and more
  rc::ndarray<float, 2> const at = integers<float>(12000, 140, 3), b = integers<float>(12000, 70, 4);
  rc::ndarray<float, 2> const c = rc::matmul(at.T(), b);
  CHECK(is_product(rc::eval(at.T()), b, c));
  rc::ndarray<float, 2> const gram = rc::matmul(at.T(), at);  // symmetric
  CHECK(is_product(rc::eval(at.T()), at, gram));
}

TEST_CASE_TEMPLATE("a transposed matrix times a column", T, float, double) {
  for (rc::index_t m : {1, 5, 70, 300}) {
    rc::ndarray<T, 2> const at = integers<T>(130, m, 5), x = integers<T>(130, 1, 6);
    rc::ndarray<T, 2> const y = rc::matmul(at.T(), x), more = rc::eval(rc::matmul(at.T(), x) + T(1));
    CHECK(is_product(rc::eval(at.T()), x, y));
    CHECK(rc::array_equal(more, rc::eval(y + T(1))));
    rc::ndarray<T, 2> wide(m, 3);  // its column is not dense
    wide(rc::all, rc::range(1, 2)) = rc::matmul(at.T(), x);
    CHECK(rc::array_equal(rc::eval(wide(rc::all, rc::range(1, 2))), y));
  }
}

TEST_CASE_TEMPLATE("the same bits with any number of threads", T, float, double) {
  rc::ndarray<T, 2> const a = rc::eval(integers<T>(150, 520, 7) / T(7)), b = rc::eval(integers<T>(520, 101, 8) / T(3));
  rc::ndarray<T, 2> const at = rc::eval(a.T()), bt = rc::eval(b.T());
  rc::ndarray<T, 2> const c = rc::matmul(a, b), turned = rc::matmul(at.T(), bt.T());
  for (int threads : {2, 3, 5}) {
    rc::cpu const how{.threads = threads};
    CHECK(rc::array_equal(rc::eval(rc::matmul(a, b), how), c));
    CHECK(rc::array_equal(rc::eval(rc::matmul(at.T(), bt.T()), how), turned));
    CHECK(rc::array_equal(rc::eval(rc::tanh(rc::matmul(at.T(), b)), how), rc::eval(rc::tanh(rc::matmul(at.T(), b)))));
  }
}
