// Products of a matrix with its own transpose, of which half is computed: beside the same product of two matrices,
// exactly symmetric, with and without an epilogue, alone and on several threads.
#include <cmath>
#include <type_traits>

#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class T>
rc::ndarray<T, 2> matrix(rc::index_t m, rc::index_t n) {
  rc::ndarray<T, 2> a(m, n);
  for (rc::index_t i = 0; i < m; ++i)
    for (rc::index_t k = 0; k < n; ++k) a(i, k) = T(((i * 7 + k * 13 + i * k) % 23) - 11) / T(8);
  return a;
}

template <class Matrix>
void are_equal(Matrix const& c, Matrix const& expected, bool symmetric) {
  double const bound = std::is_same_v<std::remove_cvref_t<decltype(c(0, 0))>, float> ? 1e-4 : 1e-12;
  rc::index_t wrong = 0, asymmetric = 0;
  for (rc::index_t i = 0; i < c.shape(0); ++i)
    for (rc::index_t k = 0; k < c.shape(1); ++k) {
      wrong += !(std::abs(c(i, k) - expected(i, k)) <= bound * (1 + std::abs(expected(i, k))));
      asymmetric += c(i, k) != c(k, i);
    }
  CHECK(wrong == 0);
  if (symmetric) CHECK(asymmetric == 0);
}

template <class T>
void products(rc::index_t n, rc::index_t depth, int threads) {
  CAPTURE(n);
  CAPTURE(depth);
  CAPTURE(threads);
  auto const how = rc::cpu{.threads = threads};
  rc::ndarray<T, 2> const a = matrix<T>(n, depth), same = matrix<T>(n, depth), tall = rc::eval(a.T());
  rc::ndarray<T, 2> const expected = rc::eval(rc::matmul(a, same.T()), how);
  rc::ndarray<T, 2> const rows = rc::eval(rc::matmul(a, a.T()), how);
  are_equal(rows, expected, true);
  rc::ndarray<T, 2> const columns = rc::eval(rc::matmul(tall.T(), tall), how);
  are_equal(columns, expected, true);
  // an epilogue that is not symmetric, and a place whose rows are not side by side
  rc::ndarray<T, 2> const added = rc::eval(T(2) * rc::matmul(a, a.T()) + a(rc::all, rc::range(0, 1)), how);
  rc::ndarray<T, 2> const all = rc::eval(T(2) * expected + a(rc::all, rc::range(0, 1)));
  are_equal(added, all, false);
  rc::ndarray<T, 2> wide(n, 2 * n);
  wide(rc::all, rc::range(0, 2 * n, 2)) = rc::matmul(a, a.T());
  rc::ndarray<T, 2> const placed = wide(rc::all, rc::range(0, 2 * n, 2));
  are_equal(placed, expected, true);
  // a part of each row with itself
  rc::ndarray<T, 2> const part =
      rc::matmul(a(rc::all, rc::range(0, depth / 2)), a(rc::all, rc::range(0, depth / 2)).T());
  rc::ndarray<T, 2> const other =
      rc::matmul(a(rc::all, rc::range(0, depth / 2)), same(rc::all, rc::range(0, depth / 2)).T());
  are_equal(part, other, true);
}

}  // namespace

TEST_CASE_TEMPLATE("a matrix times its own transpose", T, float, double) {
  for (rc::index_t n : {1, 2, 7, 31, 64, 65, 100, 129, 200, 301})
    for (rc::index_t depth : {2, 33, 140}) products<T>(n, depth, 1);
  for (int threads : {2, 3}) products<T>(301, 600, threads);
  products<T>(270, 1100, 1);
}

TEST_CASE("the same rows, backwards") {  // the same memory, another matrix
  rc::ndarray<float, 2> const a = matrix<float>(150, 40), copy = a;
  rc::ndarray<float, 2> const c = rc::matmul(rc::flip(a, rc::axis<0>), a.T());
  rc::ndarray<float, 2> const expected = rc::matmul(rc::flip(copy, rc::axis<0>), copy.T());
  are_equal(c, expected, false);
  rc::ndarray<float, 2> const square = matrix<float>(140, 140), twin = square;
  rc::ndarray<float, 2> const product = rc::matmul(square, square);
  rc::ndarray<float, 2> const of_two = rc::matmul(square, twin);
  are_equal(product, of_two, false);
}
