// Sums of complex numbers that lie in rows: lengths around those of registers and blocks, all axes and each, threads,
// views. Parts are small integers, so that every sum is exact.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

template <class T>
rc::ndarray<T, 2> matrix(rc::index_t m, rc::index_t n) {
  rc::ndarray<T, 2> a(m, n);
  for (rc::index_t i = 0; i < m * n; ++i) a.data()[i] = T(float(i * 1103 % 17 - 8), float(i * 7919 % 13 - 5));
  return a;
}
template <class T>
void sums(rc::index_t m, rc::index_t n, int threads = 1) {
  CAPTURE(m);
  CAPTURE(n);
  rc::cpu const how{.threads = threads};
  rc::ndarray<T, 2> const a = matrix<T>(m, n);
  rc::ndarray<T, 1> rows(m), columns(n);
  for (auto& x : rows) x = T(0);
  for (auto& x : columns) x = T(0);
  T all(0);
  for (rc::index_t i = 0; i < m; ++i)
    for (rc::index_t j = 0; j < n; ++j) rows(i) += a(i, j), columns(j) += a(i, j), all += a(i, j);
  CHECK(rc::eval(rc::sum(a), how).item() == all);
  CHECK(rc::array_equal(rc::eval(rc::sum(a, rc::axis<1>), how), rows));
  CHECK(rc::array_equal(rc::eval(rc::sum(a, rc::axis<0>), how), columns));
  CHECK(rc::array_equal(rc::eval(rc::sum(a.T(), rc::axis<0>), how), rows));
  CHECK(rc::array_equal(rc::eval(rc::sum(rc::conj(a), rc::axis<1>), how), rc::eval(rc::conj(rows))));
  if (n > 2) {
    auto const inner = a(rc::all, rc::range(1, n - 1));
    CHECK(rc::array_equal(rc::eval(rc::sum(inner, rc::axis<1>), how),
                          rc::eval(rows - a(rc::all, 0) - a(rc::all, n - 1))));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("sums of complex numbers", T, std::complex<float>, std::complex<double>) {
  for (rc::index_t const n : {0, 1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 100})
    for (rc::index_t const m : {1, 3, 20}) sums<T>(m, n);
  sums<T>(3, 5000);
  sums<T>(2000, 40, 2);
}
