// Short rows, several of which share a register: beside a number of their own, beside a row that is the same for all,
// reduced, softmax of them, with rows that do not follow each other, by several threads, along an axis that is a value;
// against loops, with NaN behind each row.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

template <class T>
T small_number(int k) {
  return T((k * 7 + 3) % 11 - 5);  // sums and products of these are exact
}
template <class T>
bool is_near(T x, T y) {
  return std::abs(x - y) <= T(16) * std::numeric_limits<T>::epsilon() * (std::abs(y) + T(1));
}

// `rows` rows of n elements, of memory whose rows are `width` long
template <class T>
struct given {
  rc::ndarray<T, 2> memory;
  rc::ndarray<T, 1> numbers, row;
  int rows, n;

  given(int r, int length, int width) : memory(r, width), numbers(r), row(length), rows(r), n(length) {
    for (int i = 0; i < r; ++i) {
      numbers(i) = small_number<T>(3 * i + 1);
      for (int k = 0; k < width; ++k)
        memory(i, k) = k < length ? small_number<T>(5 * i + k) : std::numeric_limits<T>::quiet_NaN();
    }
    for (int k = 0; k < length; ++k) row(k) = small_number<T>(2 * k + 1);
  }
  auto x() const { return memory(rc::all, rc::range(0, n)); }
  auto each() const { return numbers(rc::all, rc::newaxis); }
};

template <class T>
void check_maps(given<T> const& g, int threads) {
  auto const context = rc::cpu(threads);
  auto const x = g.x();
  rc::ndarray<T, 2> const scaled = rc::eval(x * g.each(), context);
  rc::ndarray<T, 2> const all_three = rc::eval(T(2) * (x - g.row) * g.each() + T(1), context);
  rc::ndarray<T, 2> const powers = rc::eval(rc::exp(T(.125) * (x - g.each())), context);
  rc::ndarray<T, 2> wide = rc::zeros<T>(rc::shape(g.rows, g.n + 1));
  wide(rc::all, rc::range(0, g.n)) = x + g.each();
  for (int i = 0; i < g.rows; ++i) {
    CHECK(wide(i, g.n) == T(0));
    for (int k = 0; k < g.n; ++k) {
      T const e = g.memory(i, k), s = g.numbers(i);
      CHECK(scaled(i, k) == e * s);
      CHECK(all_three(i, k) == T(2) * (e - g.row(k)) * s + T(1));
      CHECK(is_near(powers(i, k), std::exp(T(.125) * (e - s))));
      CHECK(wide(i, k) == e + s);
    }
  }
}

template <class T>
void check_sums(given<T> const& g, int threads) {
  auto const context = rc::cpu(threads);
  auto const x = g.x();
  constexpr auto along = rc::axis<-1>;
  rc::ndarray<T, 1> const sums = rc::eval(rc::sum(x, along), context), largest = rc::eval(rc::max(x, along), context),
                          dots = rc::eval(rc::sum(x * g.row, along), context),
                          around = rc::eval(rc::sum((x - g.each()) * (x - g.each()), along), context),
                          by_value = rc::eval(rc::sum(x, 1), context),
                          powers = rc::eval(rc::sum(rc::exp(T(.125) * (x - g.each())), along), context);
  rc::ndarray<T, 2> const shares = rc::softmax(x, along), same_shares = rc::softmax(x, 1),
                          of_columns = rc::softmax(x, 0);
  rc::ndarray<T, 2> const turned = rc::softmax(x.T(), rc::axis<-1>);
  // every other result, so that those do not lie side by side
  rc::ndarray<T, 2> apart = rc::zeros<T>(rc::shape(g.rows, 2));
  apart(rc::all, 1) = rc::sum(x * g.each(), along);
  for (int i = 0; i < g.rows; ++i) {
    T sum = 0, most = -std::numeric_limits<T>::infinity(), dot = 0, square = 0, power = 0, total = 0;
    for (int k = 0; k < g.n; ++k) {
      T const e = g.memory(i, k), s = g.numbers(i);
      sum += e, most = std::max(most, e), dot += e * g.row(k), square += (e - s) * (e - s);
      power += std::exp(T(.125) * (e - s));
    }
    for (int k = 0; k < g.n; ++k) total += std::exp(g.memory(i, k) - most);
    CHECK(sums(i) == sum);
    CHECK(by_value(i) == sum);
    CHECK(largest(i) == most);
    CHECK(dots(i) == dot);
    CHECK(around(i) == square);
    CHECK(is_near(powers(i), power));
    CHECK(apart(i, 0) == T(0));
    CHECK(apart(i, 1) == sum * g.numbers(i));
    for (int k = 0; k < g.n; ++k) {
      CHECK(is_near(shares(i, k), std::exp(g.memory(i, k) - most) / total));
      CHECK(is_near(same_shares(i, k), shares(i, k)));
      CHECK(is_near(of_columns(i, k), turned(k, i)));
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("rows of every length, side by side and apart", T, float, double) {
  for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 20, 33, 63, 64, 65})
    for (int rows : {1, 2, 5, 16, 37})
      for (int more : {0, 3}) {
        CAPTURE(n);
        CAPTURE(rows);
        CAPTURE(more);
        given<T> const g(rows, n, n + more);
        check_maps(g, 1), check_sums(g, 1);
      }
}

TEST_CASE_TEMPLATE("several threads give the same bits", T, float, double) {
  for (int n : {3, 5, 8, 10}) {
    given<T> const g(4001, n, n);
    rc::ndarray<T, 2> const y = rc::sin(g.x() * T(.37));
    constexpr auto along = rc::axis<-1>;
    rc::ndarray<T, 1> const one = rc::eval(rc::sum(y, along), rc::cpu(1)),
                            three = rc::eval(rc::sum(y, along), rc::cpu(3)),
                            seven = rc::eval(rc::sum(y, along), rc::cpu(7));
    CHECK(rc::array_equal(one, three));
    CHECK(rc::array_equal(one, seven));
    rc::ndarray<T, 2> const shares = rc::softmax(y, along), some = rc::softmax(y(rc::range(7, 8), rc::all), along);
    for (int k = 0; k < n; ++k) CHECK(is_near(some(0, k), shares(7, k)));
  }
  check_maps(given<T>(3001, 3, 3), 3), check_sums(given<T>(3001, 4, 4), 2);
}

TEST_CASE("a row is read before it is written") {
  for (int n : {2, 3, 7}) {
    rc::ndarray<float, 2> x(50, n);
    rc::ndarray<float, 1> s(50);
    for (int i = 0; i < 50; ++i) {
      s(i) = float(i % 5);
      for (int k = 0; k < n; ++k) x(i, k) = float(i * n + k);
    }
    rc::ndarray<float, 2> const was = x;
    x = x * s(rc::all, rc::newaxis) - x(0, rc::all);
    x(rc::range(1, 50), rc::all) = x(rc::range(0, 49), rc::all) + s(rc::range(0, 49), rc::newaxis);
    for (int i = 0; i < 50; ++i)
      for (int k = 0; k < n; ++k) {
        int const r = i > 0 ? i - 1 : 0;
        CHECK(x(i, k) == was(r, k) * s(r) - was(0, k) + (i > 0 ? s(r) : 0.f));
      }
  }
}

TEST_CASE("an axis that is a value: of a part, of an expression, of no elements") {
  rc::ndarray<float, 3> x(4, 6, 5);
  for (int i = 0; i < 4 * 6 * 5; ++i) x.data()[i] = float((i * 37) % 11);
  auto const part = rc::flip(x, rc::axis<2>)(rc::range(0, 4, 2), rc::all, rc::all);
  rc::ndarray<float, 3> const whole = part;
  for (int a : {0, 1, 2, -1, -2, -3}) {
    rc::ndarray<float, 3> const s = rc::softmax(part, a), t = rc::softmax(whole, a),
                                u = rc::softmax(2.f * whole - whole, a);
    CHECK(rc::array_equal(s, t));
    CHECK(rc::array_equal(u, t));
    rc::ndarray<float, 3> const sorted = rc::sort(part, a), again = rc::sort(whole, a);
    CHECK(rc::array_equal(sorted, again));
    rc::ndarray<float, 3> const sums = rc::cumulative_sum(part, a), as_well = rc::cumulative_sum(whole, a);
    CHECK(rc::array_equal(sums, as_well));
  }
  rc::ndarray<float, 3> const first = rc::softmax(whole, 0), known = rc::softmax(whole, rc::axis<0>);
  for (int i = 0; i < 2 * 6 * 5; ++i) CHECK(is_near(first.data()[i], known.data()[i]));
  rc::ndarray<float, 2> const none(0, 3);
  rc::tensor<float, rc::dyn, 3> const some_axes(0, 3);
  for (int a : {0, 1}) {
    rc::ndarray<float, 2> const s = rc::softmax(none, a), t = rc::softmax(some_axes, a);
    CHECK(s.shape(0) == 0);
    CHECK(s.shape(1) == 3);
    CHECK(t.shape(1) == 3);
  }
}
