// Short rows beside one that is the same for all of them, (h, w, 3) beside (3,): alone, below others that differ, in
// place, by several threads, and where they are summed; against loops, with NaN behind the row.
#include <doctest/doctest.h>

#include <limits>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

template <class T>
T number(int k) {
  return T((k * 7 + 3) % 11 - 5);  // sums and products of these are exact
}

// (a, b, n) beside (a, 1, n), or beside (n,) where `each` is false
template <class T>
void check(int a, int b, int n, bool each, int threads) {
  CAPTURE(a);
  CAPTURE(b);
  CAPTURE(n);
  CAPTURE(each);
  auto const context = rc::cpu(threads);
  auto x = rc::eval(rc::zeros<T>(rc::shape(a, b, n)), context);
  rc::ndarray<T, 2> rows(each ? a : 1, n + 2), others(each ? a : 1, n);
  for (int i = 0; i < rows.shape(0); ++i)
    for (int k = 0; k < n + 2; ++k) {
      rows(i, k) = k < n ? number<T>(i * 5 + k) : std::numeric_limits<T>::quiet_NaN();
      if (k < n) others(i, k) = number<T>(i + 2 * k);
    }
  rc::ndarray<T, 3> want(a, b, n);
  rc::ndarray<T, 1> sums = rc::zeros<T>(rc::shape(n));
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j)
      for (int k = 0; k < n; ++k) {
        int const r = each ? i : 0;
        x(i, j, k) = number<T>(i + 3 * j + k);
        want(i, j, k) = T(2) * (x(i, j, k) - rows(r, k)) * others(r, k) + T(1);
        sums(k) += x(i, j, k) * rows(r, k);
      }
  auto const row = rows(rc::all, rc::newaxis, rc::range(0, n));
  auto const other = others(rc::all, rc::newaxis, rc::all);
  rc::ndarray<T, 3> const y = rc::eval(T(2) * (x - row) * other + T(1), context);
  CHECK(rc::array_equal(y, want));
  rc::ndarray<T, 1> const total = rc::sum(x * row, rc::axis<0, 1>);
  CHECK(rc::array_equal(total, sums));
  x = T(2) * (x - row) * other + T(1);
  CHECK(rc::array_equal(x, want));
  // backwards, where rows no longer follow each other
  rc::ndarray<T, 3> const back = rc::flip(x, rc::axis<1>) * row;
  rc::ndarray<T, 3> const straight = x * row;
  CHECK(rc::array_equal(back, rc::flip(straight, rc::axis<1>)));
}

}  // namespace

TEST_CASE_TEMPLATE("rows of every length beside one that stays", T, float, double) {
  for (int n : {1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 32, 33})
    for (auto [a, b] : {std::pair(1, 9), std::pair(3, 7), std::pair(4, 130), std::pair(20, 300)})
      for (bool each : {false, true}) check<T>(a, b, n, each, 1);
}

TEST_CASE("several threads") {
  for (int n : {3, 8, 20})
    for (bool each : {false, true}) check<float>(3, 9000, n, each, 3), check<double>(900, 31, n, each, 2);
}

TEST_CASE("a row that the target holds is read before it is written") {
  rc::ndarray<double, 2> x = rc::ones<double>(rc::shape(100, 3));
  for (int i = 0; i < 100; ++i)
    for (int k = 0; k < 3; ++k) x(i, k) = number<double>(i + k) + 2 * k;
  rc::ndarray<double, 2> const old = x;
  x = x - x(50, rc::newaxis, rc::all);
  for (int i = 0; i < 100; ++i)
    for (int k = 0; k < 3; ++k) CHECK(x(i, k) == old(i, k) - old(50, k));
}
