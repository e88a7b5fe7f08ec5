// Batches of small products whose extents show at run time (exec/cpu/short_products.hpp) beside sums of products.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

template <class T>
void check(rc::index_t count, rc::index_t m, rc::index_t n, rc::index_t depth) {
  CAPTURE(count);
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(depth);
  rc::ndarray<T, 4> a(3, count, m, depth), b(3, count, depth, n);
  for (rc::index_t k = 0; k < a.size(); ++k) a.data()[k] = T((k * 7) % 11 - 5);
  for (rc::index_t k = 0; k < b.size(); ++k) b.data()[k] = T((k * 5) % 13 - 6);
  auto const sums = [&](auto const& x, auto const& y, rc::index_t i, rc::index_t j, rc::index_t r, rc::index_t c) {
    T s(0);
    for (rc::index_t k = 0; k < depth; ++k) s += x(i, j, r, k) * y(i, j, k, c);
    return s;
  };
  bool equal = true;
  auto const compare = [&](auto const& y, auto const& x, auto const& z) {
    for (rc::index_t i = 0; i < 3; ++i)
      for (rc::index_t j = 0; j < count; ++j)
        for (rc::index_t r = 0; r < m; ++r)
          for (rc::index_t c = 0; c < n; ++c) equal = equal && y(i, j, r, c) == sums(x, z, i, j, r, c);
  };
  rc::ndarray<T, 4> const y = rc::matmul(a, b);
  compare(y, a, b);
  // a factor that is the same in all products of an inner batch, and one whose rows go backwards, into part of a tensor
  rc::ndarray<T, 4> wide(3, count, m + 2, n + 3);
  wide(rc::all, rc::all, rc::range(1, m + 1), rc::range(2, n + 2)) =
      rc::matmul(rc::flip(a, rc::axis<2>), b(rc::all, rc::range(0, 1)));
  rc::ndarray<T, 4> const x = rc::flip(a, rc::axis<2>), z = rc::broadcast_to(b(rc::all, rc::range(0, 1)), b.shape());
  compare(wide(rc::all, rc::all, rc::range(1, m + 1), rc::range(2, n + 2)), x, z);
  // transposed, by functions of several threads
  rc::ndarray<T, 4> const t = rc::matrix_transpose(a), u = rc::matrix_transpose(b);
  rc::ndarray<T, 4> const by_three = rc::eval(rc::matmul(rc::matrix_transpose(t), b), rc::cpu{.threads = 3});
  compare(by_three, a, b);
  rc::ndarray<T, 4> const columns = rc::fn([](auto p, auto q) { return rc::matmul(p, rc::matrix_transpose(q)); })(a, u);
  compare(columns, a, b);
  rc::ndarray<T, 4> const more = rc::matmul(a, b) + T(1);
  rc::ndarray<T, 4> const less = more - T(1);
  compare(less, a, b);
  CHECK(equal);
}

}  // namespace

TEST_CASE_TEMPLATE("batches of small products", T, float, double) {
  for (rc::index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17}) {
    check<T>(5, n, n, n);
    check<T>(2, 4, n, 3);
    check<T>(3, n, 8, 5);
  }
  check<T>(1, 16, 16, 64), check<T>(1, 16, 16, 65), check<T>(4, 3, 3, 0);
  rc::ndarray<T, 3> const none(0, 3, 3), product = rc::matmul(none, none);
  CHECK(product.shape(0) == 0);
}
