// Where extrema of short rows and of few columns lie: the first one, or the first NaN, whatever way it is found.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "raised.hpp"

namespace rc = ricci;
using rc::index_t;

namespace {

// Elements repeat, so that extrema do; NaN here and there where there is one.
template <class T>
rc::ndarray<T, 2> sample(index_t rows, index_t columns) {
  rc::ndarray<T, 2> x = rc::zeros<T>(rc::shape(rows, columns));
  std::uint32_t state = std::uint32_t(97 * rows + columns);
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) {
      state = state * 1664525u + 1013904223u;
      x(i, j) = static_cast<T>(state >> 28);
      if constexpr (std::numeric_limits<T>::has_quiet_NaN)
        if ((state >> 8) % 97 == 0) x(i, j) = std::numeric_limits<T>::quiet_NaN();
    }
  return x;
}
template <class F>
index_t place(index_t n, bool largest, F const& at) {
  index_t best = 0;
  for (index_t i = 1; i < n; ++i) {
    auto const x = at(i), y = at(best);
    if (y == y && (x != x || (largest ? x > y : x < y))) best = i;
  }
  return best;
}
template <class X>
bool are_places(X const& x) {
  index_t const rows = x.shape()[0], columns = x.shape()[1];
  auto const down = rc::eval(rc::argmax(x, rc::axis<0>)), low = rc::eval(rc::argmin(x, rc::axis<0>)),
             along = rc::eval(rc::argmax(x, rc::axis<1>)), least = rc::eval(rc::argmin(x, rc::axis<1>));
  bool same = true;
  for (index_t j = 0; j < columns; ++j) {
    auto const at = [&](index_t i) { return x(i, j); };
    same = same && down(j) == place(rows, true, at) && low(j) == place(rows, false, at);
  }
  for (index_t i = 0; i < rows; ++i) {
    auto const at = [&](index_t j) { return x(i, j); };
    same = same && along(i) == place(columns, true, at) && least(i) == place(columns, false, at);
  }
  return same;
}
template <class T>
void check_places() {
  for (index_t const rows : {1, 2, 7, 31, 32, 33, 100, 1100})
    for (index_t const columns : {1, 2, 3, 4, 5, 8, 17, 31, 32, 63, 64, 130}) {
      CAPTURE(rows);
      CAPTURE(columns);
      CHECK(are_places(sample<T>(rows, columns)));
    }
  // rows with others between them, and elements with others between them
  auto const x = sample<T>(150, 40);
  CHECK(are_places(rc::eval(x(rc::range(0, 150, 3), rc::all))));
  auto const few = x(rc::all, rc::range(2, 5));
  auto const along = rc::eval(rc::argmax(few, rc::axis<1>)), whole = rc::eval(rc::argmax(rc::eval(few), rc::axis<1>));
  CHECK(rc::eval(rc::all(along == whole)).item());
  auto const down = rc::eval(rc::argmax(few, rc::axis<0>)), of_copy = rc::eval(rc::argmax(rc::eval(few), rc::axis<0>));
  CHECK(rc::eval(rc::all(down == of_copy)).item());
}

}  // namespace

TEST_CASE("first extrema of short rows and of few columns, of floats") {
  check_places<float>();
  check_places<double>();
}
TEST_CASE("first extrema of short rows and of few columns, of integers") {
  check_places<std::int8_t>();
  check_places<std::int32_t>();
}

namespace {

// One row, of which a statement, a function and a function of more steps find the places.
template <class X>
bool are_places_of_row(X const& x, index_t n) {
  auto const at = [&](index_t i) { return x(i); };
  index_t const most = place(n, true, at), least = place(n, false, at);
  rc::ndarray<std::int64_t, 0> into = rc::eval(rc::argmin(x));
  bool same = into.item() == least;
  into = rc::argmax(x);
  auto const both = rc::fn([](auto const& a) { return std::tuple(rc::argmin(a + a), rc::argmax(a)); })(x);
  return same && into.item() == most && rc::fn(rc::argmax)(x).item() == most && std::get<0>(both).item() == least &&
         std::get<1>(both).item() == most;
}
template <class T>
void check_rows() {
  for (index_t n = 1; n < 140; ++n) {
    CAPTURE(n);
    rc::ndarray<T, 1> x = rc::reshape(sample<T>(1, n), rc::shape(n));
    CHECK(are_places_of_row(x, n));
    for (index_t const worst : {index_t(0), n / 2, n - 1}) {  // the only one, the first of many, and NaN
      rc::ndarray<T, 1> y = rc::zeros<T>(rc::shape(n));
      y(worst) = T(1);
      CHECK(are_places_of_row(y, n));
      y(n - 1) = T(1);
      CHECK(are_places_of_row(y, n));
      if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
        y(worst) = std::numeric_limits<T>::quiet_NaN();
        CHECK(are_places_of_row(y, n));
        y = rc::full<T>(rc::shape(n), std::numeric_limits<T>::quiet_NaN());
        CHECK(are_places_of_row(y, n));
        y = rc::full<T>(rc::shape(n), -std::numeric_limits<T>::infinity());
        CHECK(are_places_of_row(y, n));
      }
    }
  }
  auto const known = [](auto x) {
    index_t const n = x.shape()[0];
    x = rc::reshape(sample<T>(1, n), rc::shape(n));
    return are_places_of_row(x, n);
  };
  CHECK(known(rc::tensor<T, 1>{}));
  CHECK(known(rc::tensor<T, 4>{}));
  CHECK(known(rc::tensor<T, 19>{}));
  CHECK(known(rc::tensor<T, 70>{}));
}

}  // namespace

TEST_CASE("first extrema of one row") {
  check_rows<float>();
  check_rows<double>();
  check_rows<std::int8_t>();
  check_rows<std::int64_t>();
}
TEST_CASE("first extrema of one row of conditions, or of elements that lie apart") {
  auto const x = sample<float>(1, 90);
  rc::ndarray<float, 1> const row = rc::reshape(x, rc::shape(90));
  rc::ndarray<bool, 1> const is_large = row > 7.f;
  CHECK(rc::eval(rc::argmax(is_large)).item() == place(90, true, [&](index_t i) { return is_large(i); }));
  auto const apart = row(rc::range(1, 90, 3));
  CHECK(rc::eval(rc::argmax(apart)).item() == place(apart.shape()[0], true, [&](index_t i) { return apart(i); }));
}
TEST_CASE("one row without elements has no first extremum, and nothing is written for it") {
  std::string const none = "value_error: argmax: no elements to choose from";
  rc::ndarray<float, 1> const x = rc::zeros<float>(rc::shape(0));
  rc::ndarray<std::int64_t, 0> into = rc::eval(rc::argmax(rc::ones<float>(rc::shape(3))));
  CHECK(raised([&] { into = rc::argmax(x); }) == none);
  CHECK(raised([&] { rc::eval(rc::argmax(x + x)); }) == none);
  CHECK(raised([&] { rc::fn(rc::argmax)(x); }) == none);
  CHECK(raised([&] { rc::fn([](auto const& a) { return std::tuple(a + a, rc::argmax(a + a)); })(x); }) == none);
  CHECK(raised([&] { rc::eval(rc::argmax(rc::tensor<float, 0>{})); }) == none);
  CHECK(into.item() == 0);
}
