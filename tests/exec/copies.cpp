// Copies whose rows have few elements, which go many at a time: repetitions, and views with strides.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <complex>
#include <cstdint>

namespace rc = ricci;
using rc::index_t;

namespace {

template <class T>
rc::ndarray<T, 2> sample(index_t rows, index_t columns) {
  return rc::astype<T>(rc::reshape(rc::arange<std::int32_t>(rows * columns), rc::shape(rows, columns)) % 101);
}
template <class X, class F>
bool is(X const& y, index_t rows, index_t columns, F const& at) {
  if (y.shape()[0] != rows || y.shape()[1] != columns) return false;
  bool same = true;
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) same = same && y(i, j) == at(i, j);
  return same;
}
template <class T>
void check_copies() {
  using rc::all;
  for (index_t const n : {1, 2, 3, 4, 5, 16, 17, 40})
    for (index_t const m : {1, 7, 8, 64, 200}) {
      CAPTURE(n);
      CAPTURE(m);
      auto const x = sample<T>(n, m), wide = sample<T>(m, 3 * n);
      CHECK(is(rc::eval(x.T()), m, n, [&](index_t i, index_t j) { return x(j, i); }));
      CHECK(is(rc::eval(rc::repeat(x, n, rc::axis<1>)), n, m * n, [&](index_t i, index_t j) { return x(i, j / n); }));
      CHECK(
          is(rc::eval(wide(all, rc::range(0, 3 * n, 3))), m, n, [&](index_t i, index_t j) { return wide(i, 3 * j); }));
      CHECK(is(rc::eval(wide(all, rc::range(1, 1 + n))), m, n, [&](index_t i, index_t j) { return wide(i, 1 + j); }));
      CHECK(is(rc::eval(rc::flip(x.T(), rc::axis<1>)), m, n, [&](index_t i, index_t j) { return x(n - 1 - j, i); }));
      rc::ndarray<T, 2> z(m, n);
      z.T() = x;
      CHECK(is(z, m, n, [&](index_t i, index_t j) { return x(j, i); }));
      auto y = sample<T>(m, 2 * n);  // into a part of rows
      auto const before = y;
      y(all, rc::range(0, n)) = x.T();
      CHECK(is(y, m, 2 * n, [&](index_t i, index_t j) { return j < n ? x(j, i) : before(i, j); }));
    }
}

}  // namespace

TEST_CASE("short rows are copied, elements of one and two bytes") {
  check_copies<std::uint8_t>();
  check_copies<std::int16_t>();
}
TEST_CASE("short rows are copied, elements of four bytes and more") {
  check_copies<float>();
  check_copies<double>();
  check_copies<std::complex<double>>();
}
TEST_CASE("many small matrices are transposed") {
  for (index_t const many : {1, 5, 8, 70})
    for (index_t const n : {1, 2, 3, 7})
      for (index_t const m : {1, 3, 4, 9}) {
        CAPTURE(many);
        CAPTURE(n);
        CAPTURE(m);
        rc::ndarray<double, 3> const x = rc::reshape(sample<double>(many * n, m), rc::shape(many, n, m));
        rc::ndarray<double, 3> const y = rc::matrix_transpose(x), z = rc::permute_dims(x, rc::axis<1, 0, 2>);
        bool same = true;
        for (index_t i = 0; i < many; ++i)
          for (index_t j = 0; j < n; ++j)
            for (index_t k = 0; k < m; ++k) same = same && y(i, k, j) == x(i, j, k) && z(j, i, k) == x(i, j, k);
        CHECK(same);
      }
}
TEST_CASE("several threads copy short rows") {
  rc::cpu const context{.threads = 3};
  auto const x = sample<float>(3, 40000);
  CHECK(is(rc::eval(x.T(), context), 40000, 3, [&](index_t i, index_t j) { return x(j, i); }));
  CHECK(is(rc::eval(rc::repeat(x, 2, rc::axis<1>), context), 3, 80000,
           [&](index_t i, index_t j) { return x(i, j / 2); }));
}
