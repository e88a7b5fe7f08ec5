// Results that are written where operands lie. What should come out is what a copy of the operands would give, and that
// is what every case is compared with; ranges of all starts, lengths and steps are gone through.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr rc::all_t all{};

struct span {
  rc::index_t start, stop, step;
};
// all ranges with `length` elements on an axis of `n`
std::vector<span> ranges(rc::index_t n, rc::index_t length) {
  std::vector<span> r;
  for (rc::index_t step : {1, 2, 3, -1, -2, -3})
    for (rc::index_t start = 0; start < n; ++start) {
      auto const last = start + (length - 1) * step;
      if (last < 0 || last >= n) continue;
      // one past the last, or the bound that means "before the first"
      auto const stop = step > 0 ? last + 1 : last == 0 ? -1 - n : last - 1;
      r.push_back({start, stop, step});
    }
  return r;
}
rc::range_t<rc::index_t, rc::index_t, false> range(span s) { return rc::range(s.start, s.stop, s.step); }

rc::ndarray<double, 2> square(int n) {
  rc::ndarray<double, 2> m(n, n);
  for (int i = 0; i < n * n; ++i) m.data()[i] = i * i % 17 + i;
  return m;
}

}  // namespace

TEST_CASE("a range is assigned another of the same tensor") {
  int cases = 0, wrong = 0;
  for (rc::index_t length = 1; length <= 9; ++length)
    for (auto const to : ranges(9, length))
      for (auto const from : ranges(9, length)) {
        rc::ndarray<double, 1> x = rc::arange<double>(1, 10);
        rc::ndarray<double, 1> const before = x;
        x(range(to)) = x(range(from));
        rc::ndarray<double, 1> y = before;
        for (rc::index_t k = 0; k < length; ++k) y(to.start + k * to.step) = before(from.start + k * from.step);
        wrong += !(numbers(x) == numbers(y));
        ++cases;
      }
  CHECK(cases > 2000);
  CHECK(wrong == 0);
}

TEST_CASE("a range is changed by another of the same tensor") {
  int wrong = 0;
  for (rc::index_t length : {2, 4, 7})
    for (auto const to : ranges(9, length))
      for (auto const from : ranges(9, length)) {
        rc::ndarray<double, 1> x = rc::arange<double>(1, 10);
        rc::ndarray<double, 1> const before = x;
        x(range(to)) += 2. * x(range(from)) - x(range(to)) * x(range(from));
        rc::ndarray<double, 1> y = before;
        for (rc::index_t k = 0; k < length; ++k) {
          double const f = before(from.start + k * from.step), t = before(to.start + k * to.step);
          y(to.start + k * to.step) = t + (2 * f - t * f);
        }
        wrong += !(numbers(x) == numbers(y));
      }
  CHECK(wrong == 0);
}

TEST_CASE("blocks of a matrix, also transposed") {
  int wrong = 0;
  for (auto const rows : ranges(5, 3))
    for (auto const columns : ranges(5, 3))
      for (auto const from : ranges(5, 3)) {
        auto m = square(5);
        auto const before = m;
        m(range(rows), range(columns)) = m(range(from), rc::range(1, 4)).T() + m(rc::range(0, 3), range(from));
        auto want = before;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            want(rows.start + i * rows.step, columns.start + j * columns.step) =
                before(from.start + j * from.step, 1 + i) + before(i, from.start + j * from.step);
        wrong += !(numbers(m) == numbers(want));
      }
  CHECK(wrong == 0);
}

TEST_CASE("a tensor becomes its transpose, its mirror image, its own product") {
  auto const before = square(7);
  auto m = before;
  m = m.T();
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) CHECK(m(i, j) == before(j, i));
  m = before;
  m = m + m.T();
  CHECK(m(2, 5) == before(2, 5) + before(5, 2));
  CHECK(m(5, 2) == m(2, 5));
  m = before;
  m = rc::flip(m);
  CHECK(m(0, 1) == before(6, 5));
  CHECK(m(6, 5) == before(0, 1));
  m = before;
  m = rc::matmul(m, m);
  double want = 0;
  for (int k = 0; k < 7; ++k) want += before(3, k) * before(k, 4);
  CHECK(m(3, 4) == want);
  m = before;
  m += rc::matmul(m.T(), m) - 2. * m;
  want = -before(3, 4);
  for (int k = 0; k < 7; ++k) want += before(k, 3) * before(k, 4);
  CHECK(m(3, 4) == want);
}

TEST_CASE("the same for tensors in place") {
  rc::tensor<double, 3, 3> const before{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  auto m = before;
  m = m.T();
  CHECK(numbers(m) == numbers{1, 4, 7, 2, 5, 8, 3, 6, 9});
  m = before;
  m(all, rc::range<1, 3>()) = m(all, rc::range<0, 2>());
  CHECK(numbers(m) == numbers{1, 1, 2, 4, 4, 5, 7, 7, 8});
  m = before;
  m(rc::range<0, 2>()) += m(rc::range<1, 3>());
  CHECK(numbers(m) == numbers{5, 7, 9, 11, 13, 15, 7, 8, 9});
  m = before;
  m(0) = m(all, 2);
  CHECK(numbers(m) == numbers{3, 6, 9, 4, 5, 6, 7, 8, 9});
  m = before;
  m = rc::matmul(m, m.T());
  CHECK(m(0, 1) == 32);
  CHECK(m(2, 2) == 194);
  m = before;
  m(1) = rc::sum(m, rc::axis<0>);
  CHECK(numbers(m(1)) == numbers{12, 15, 18});
}

TEST_CASE("reductions into the tensor that they read") {
  auto m = square(6);
  auto const before = m;
  m(2) = rc::sum(m, rc::axis<0>);
  m(all, 0) = rc::max(m, rc::axis<1>);
  for (int j = 1; j < 6; ++j) {
    double want = 0;
    for (int i = 0; i < 6; ++i) want += before(i, j);
    CHECK(m(2, j) == want);
  }
  m = before;
  m = m / rc::sum(m);
  CHECK(double(rc::sum(m)) == doctest::Approx(1));
  m = before;
  m(0) = rc::matmul(m(1), m);
  double want = 0;
  for (int k = 0; k < 6; ++k) want += before(1, k) * before(k, 3);
  CHECK(m(0, 3) == want);
  m = before;
  m -= rc::mean(m, rc::axis<0>);
  CHECK(double(rc::sum(rc::abs(rc::sum(m, rc::axis<0>)))) < 1e-9);
  rc::ndarray<double, 1> x = rc::arange<double>(5);
  x = x - x(4);
  CHECK(numbers(x) == numbers{-4, -3, -2, -1, 0});
  x(rc::range(1, 4)) = x(2) * 10.;
  CHECK(numbers(x) == numbers{-4, -20, -20, -20, 0});
}

TEST_CASE("other shapes and element types over the same memory") {
  rc::ndarray<double, 1> x = rc::arange<double>(6);
  x = x(rc::range(4, 1, -1));
  CHECK(numbers(x) == numbers{4, 3, 2});
  x = rc::concat(x, x);
  CHECK(numbers(x) == numbers{4, 3, 2, 4, 3, 2});
  rc::ndarray<double, 2> m = square(3);
  auto const before = m;
  m = rc::reshape(m(rc::range(0, 2)), rc::shape(3, 2));
  CHECK(shape_of(m) == numbers{3, 2});
  CHECK(m(1, 0) == before(0, 2));
  rc::ndarray<int, 1> i = rc::arange<int>(4), order{3, 2, 1, 0};
  i = rc::take(i, order);
  CHECK(numbers(i) == numbers{3, 2, 1, 0});
  order = rc::take(order, order);
  CHECK(numbers(order) == numbers{0, 1, 2, 3});
}

TEST_CASE("interleaved views of one memory do not disturb each other") {
  rc::ndarray<double, 1> x = rc::arange<double>(10);
  auto even = x(rc::range(0, 10, 2)), odd = x(rc::range(1, 10, 2));
  even = odd + 100.;
  odd = even - odd;
  CHECK(numbers(x) == numbers{101, 100, 103, 100, 105, 100, 107, 100, 109, 100});
}
