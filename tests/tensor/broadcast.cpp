// Broadcasting, to order 5 and beyond, for static, dynamic and mixed extents; extents that are 1 only at run time; and
// tensors without elements. What should come out is computed by loops with clamped indices.
#include <doctest/doctest.h>

#include <algorithm>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::dyn;

namespace {

template <class X>
void count_up(X& x, double from) {
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = from + static_cast<double>(k);
}
// the element that a tensor of order R shows at an index of the result
template <int R, class X>
double shown(X const& x, rc::index_t const (&at)[R]) {
  rc::index_t offset = 0, run = 1;
  for (int k = X::rank - 1; k >= 0; --k) {
    offset += x.shape(k) == 1 ? 0 : at[k + R - X::rank] * run;
    run *= x.shape(k);
  }
  return x.data()[offset];
}
// checks r == 2 a - b element by element
template <class R, class A, class B>
bool is_difference(R const& r, A const& a, B const& b) {
  rc::index_t at[R::rank]{};
  for (rc::index_t n = 0; n < r.size(); ++n) {
    if (r.data()[n] != 2 * shown(a, at) - shown(b, at)) return false;
    for (int k = R::rank - 1; k >= 0 && ++at[k] == r.shape(k); --k) at[k] = 0;
  }
  return true;
}

}  // namespace

TEST_CASE("order 5, each operand broadcast along other axes") {
  rc::tensor<double, 2, 1, 3, 1, 4> a;
  rc::tensor<double, 5, 1, 2, 1> b;
  count_up(a, 1);
  count_up(b, 1000);
  rc::tensor<double, 2, 5, 3, 2, 4> const r = 2. * a - b;
  CHECK(is_difference(r, a, b));

  rc::ndarray<double, 5> const da = a;
  rc::ndarray<double, 4> const db = b;
  rc::ndarray<double, 5> const dr = 2. * da - db;
  CHECK(shape_of(dr) == numbers{2, 5, 3, 2, 4});
  CHECK(numbers(dr) == numbers(r));

  rc::tensor<double, 2, dyn, 3, dyn, 4> const ma = a;
  auto const mixed = rc::eval(2. * ma - b);
  static_assert(std::is_same_v<decltype(mixed)::extents, rc::extents<2, 5, 3, 2, 4>>);
  CHECK(numbers(mixed) == numbers(r));
}

TEST_CASE("order 7 against a column and a row") {
  rc::ndarray<double, 7> a(2, 1, 2, 1, 3, 1, 2);
  rc::ndarray<double, 2> column(3, 1);
  count_up(a, 0);
  count_up(column, 10);
  rc::ndarray<double, 7> const r = 2. * a - column;
  CHECK(shape_of(r) == numbers{2, 1, 2, 1, 3, 3, 2});
  CHECK(is_difference(r, a, column));
}

// one statement, compiled once; all extents of 1 to 3 on either side
TEST_CASE("every pattern of extents that are 1 at run time") {
  int cases = 0, wrong = 0, refused = 0;
  auto const difference = [](rc::ndarray<double, 3> const& a,
                             rc::ndarray<double, 3> const& b) -> rc::ndarray<double, 3> { return 2. * a - b; };
  for (int code = 0; code < 3 * 3 * 3 * 3 * 3 * 3; ++code) {
    int e[6];
    for (int k = 0, c = code; k < 6; ++k, c /= 3) e[k] = c % 3 + 1;
    rc::ndarray<double, 3> a(e[0], e[1], e[2]), b(e[3], e[4], e[5]);
    count_up(a, 1);
    count_up(b, 100);
    bool fits = true;
    for (int k = 0; k < 3; ++k) fits = fits && (e[k] == e[k + 3] || e[k] == 1 || e[k + 3] == 1);
    if (fits)
      wrong += !is_difference(difference(a, b), a, b);
    else
      refused += raised([&] { difference(a, b); }).rfind("shape_error: ", 0) == 0;
    ++cases;
  }
  CHECK(wrong == 0);
  CHECK(refused == cases - 7 * 7 * 7);
}

TEST_CASE("the same where a statement does more than elementwise operations") {
  for (int rows : {1, 4})
    for (int columns : {1, 6}) {
      rc::ndarray<double, 2> a(4, 6), b(rows, columns);
      count_up(a, 1);
      count_up(b, 5);
      rc::ndarray<double, 1> const r = rc::sum(a * b, rc::axis<0>) + rc::max(a - b);
      double most = -1e9;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 6; ++j) most = std::max(most, a(i, j) - b(rows == 1 ? 0 : i, columns == 1 ? 0 : j));
      for (int j = 0; j < 6; ++j) {
        double want = most;
        for (int i = 0; i < 4; ++i) want += a(i, j) * b(rows == 1 ? 0 : i, columns == 1 ? 0 : j);
        CHECK(r(j) == want);
      }
    }
}

TEST_CASE("traced functions have both variants, too, and so do their gradients") {
  auto const f = [](auto a, auto b) { return rc::sum(a * b * b); };
  for (int rows : {1, 4})
    for (int columns : {1, 6}) {
      rc::ndarray<double, 2> a(4, 6), b(rows, columns);
      count_up(a, 1);
      count_up(b, 5);
      auto const [ga, gb] = rc::grad<0, 1>(f)(a, b);
      CHECK(shape_of(gb) == shape_of(b));
      double all = 0;
      rc::ndarray<double, 2> want_b(rows, columns);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 6; ++j) {
          int const p = rows == 1 ? 0 : i, q = columns == 1 ? 0 : j;
          all += a(i, j) * b(p, q) * b(p, q);
          want_b(p, q) += 2 * a(i, j) * b(p, q);
          CHECK(ga(i, j) == b(p, q) * b(p, q));
        }
      CHECK(numbers(gb) == numbers(want_b));
      CHECK(double(rc::fn(f)(a, b)) == all);
    }
}

TEST_CASE("strided operands of extent 1 are broadcast, and contiguous ones next to them are not") {
  rc::ndarray<double, 2> m(4, 6), out(4, 6);
  count_up(m, 1);
  out = m + m(rc::range(3, 2, -1), rc::range(0, 6)) * m(rc::all, rc::range(5, 4, -1));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) CHECK(out(i, j) == m(i, j) + m(3, j) * m(i, 5));
  rc::ndarray<double, 2> const t = m(rc::range(0, 1)).T() + m(rc::range(2, 3));
  CHECK(shape_of(t) == numbers{6, 6});
  CHECK(t(4, 1) == m(0, 4) + m(2, 1));
}

TEST_CASE("tensors without elements are ordinary") {
  rc::ndarray<double, 2> const none(0, 3), row(1, 3), three(3, 3), column(0, 1);
  CHECK(shape_of(rc::eval(none + row)) == numbers{0, 3});
  CHECK(shape_of(rc::eval(none * column)) == numbers{0, 3});
  CHECK(raised([&] { rc::eval(none + three); }) == "shape_error: add: (0, 3) (3, 3)");
  CHECK(double(rc::sum(none)) == 0);
  CHECK(double(rc::prod(none)) == 1);
  CHECK(numbers(rc::eval(rc::sum(none, rc::axis<0>))) == numbers{0, 0, 0});
  CHECK(rc::eval(rc::sum(none, rc::axis<1>)).size() == 0);
  CHECK(bool(rc::all(none > 0.)));
  CHECK_FALSE(bool(rc::any(none > 0.)));
  CHECK(numbers(rc::eval(rc::matmul(rc::ndarray<double, 2>(2, 0), rc::ndarray<double, 2>(0, 2)))) ==
        numbers{0, 0, 0, 0});
  rc::tensor<float, 0, 3> const fixed;
  CHECK(rc::eval(fixed + fixed).size() == 0);
  CHECK(float(rc::sum(fixed)) == 0);
  rc::ndarray<double, 1> x(0);
  x = x + 1.;
  x += x;
  CHECK(x.size() == 0);
  x = rc::concat(x, rc::arange<double>(2), x);
  CHECK(numbers(x) == numbers{0, 1});
  auto const f = [](auto v) { return rc::sum(v * v); };
  CHECK(rc::grad(f)(rc::ndarray<double, 1>(0)).size() == 0);
}

// where nothing is optimised, kernels are given vectors by reference
TEST_CASE("the imaginary part of real numbers") {
  rc::tensor<double, 3> const x{1, -2, 3};
  CHECK(numbers(rc::eval(rc::imag(x) + x)) == numbers(x));
}
