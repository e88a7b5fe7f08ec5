// Reductions of rows of few elements whose number shows at run time: every length about a register's, with what would
// change the result right beside the row.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

constexpr int most = 40, rows = 3;

template <class T>
T number(int r, int k) {
  return T(.25) * T((k * 7 + r * 5 + 3) % 11 - 5) + T(.0625) * T(k % 3);  // sums of these are exact
}
// Rows of n elements in a matrix that has NaN behind them.
template <class T>
rc::ndarray<T, 2> matrix(int n) {
  rc::ndarray<T, 2> x(rows, n + 3);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < n + 3; ++k) x(r, k) = k < n ? number<T>(r, k) : std::numeric_limits<T>::quiet_NaN();
  return x;
}
template <class T>
void near(T a, double b) {
  CHECK(std::fabs(double(a) - b) <= 16 * double(std::numeric_limits<T>::epsilon()) * (1 + std::fabs(b)));
}

template <class T>
void check_rows(int n) {
  CAPTURE(n);
  auto const all = matrix<T>(n);
  auto const x = all(rc::all, rc::range(0, n));
  rc::ndarray<T, 1> const sums = rc::sum(x, rc::axis<1>), most_of = rc::max(x, rc::axis<1>),
                          least = rc::min(x, rc::axis<1>), squares = rc::sum(x * x, rc::axis<1>),
                          means = rc::mean(x, rc::axis<1>), variances = rc::var(x, rc::axis<1>),
                          logs = rc::logsumexp(x, rc::axis<1>);
  rc::ndarray<T, 2> const weights = rc::softmax(x, rc::axis<1>);
  for (int r = 0; r < rows; ++r) {
    CAPTURE(r);
    double sum = 0, square = 0, largest = double(number<T>(r, 0)), smallest = largest, from_mean = 0, weight = 0;
    for (int k = 0; k < n; ++k) {
      double const v = double(number<T>(r, k));
      sum += v, square += v * v, weight += std::exp(v);
      largest = std::fmax(largest, v), smallest = std::fmin(smallest, v);
    }
    for (int k = 0; k < n; ++k) from_mean += std::pow(double(number<T>(r, k)) - sum / n, 2);
    CHECK(double(sums(r)) == sum);
    CHECK(double(squares(r)) == square);
    CHECK(double(most_of(r)) == largest);
    CHECK(double(least(r)) == smallest);
    near(means(r), sum / n);
    near(variances(r), from_mean / n);
    near(logs(r), std::log(weight));
    for (int k = 0; k < n; ++k) near(weights(r, k), std::exp(double(number<T>(r, k))) / weight);
    // one row alone, which is a statement of another kind
    rc::ndarray<T, 1> const row = x(r, rc::all);
    rc::tensor<T> const sum_of_row = rc::sum(row), variance = rc::var(row), log_of_row = rc::logsumexp(row),
                        norm = rc::norm(row);
    rc::ndarray<T, 1> const weights_of_row = rc::softmax(row);
    CHECK(sum_of_row.item() == sums(r));
    near(variance.item(), from_mean / n);
    near(log_of_row.item(), std::log(weight));
    near(norm.item(), std::sqrt(square));
    for (int k = 0; k < n; ++k) near(weights_of_row(k), std::exp(double(number<T>(r, k))) / weight);
  }
}

// NaN and infinity at every place of a row, and zeros of both signs.
template <class T>
void check_special(int n) {
  CAPTURE(n);
  T const nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  rc::ndarray<T, 1> x(n);
  for (int at = 0; at < n; ++at) {
    CAPTURE(at);
    for (int k = 0; k < n; ++k) x(k) = number<T>(0, k);
    x(at) = nan;
    rc::tensor<T> sum = rc::sum(x), largest = rc::max(x), smallest = rc::min(x);
    CHECK((std::isnan(sum.item()) && std::isnan(largest.item()) && std::isnan(smallest.item())));
    x(at) = -infinity;
    sum = rc::sum(x), largest = rc::max(x), smallest = rc::min(x);
    CHECK(sum.item() == -infinity);
    CHECK(smallest.item() == -infinity);
    CHECK((std::isfinite(largest.item()) || n == 1));
  }
  for (int k = 0; k < n; ++k) x(k) = T(-0.);
  rc::tensor<T> const zero = rc::sum(x), product = rc::prod(x);
  CHECK((zero.item() == 0 && !std::signbit(zero.item())));
  CHECK((product.item() == 0 && std::signbit(product.item()) == (n % 2 == 1)));
}

// As many as the compiler knows.
template <class T, int N>
void check_known() {
  rc::tensor<T, N> x;
  rc::ndarray<T, 1> y(N);
  for (int k = 0; k < N; ++k) x(k) = y(k) = number<T>(1, k);
  rc::tensor<T, N> const known = rc::softmax(x);
  rc::ndarray<T, 1> const shown = rc::softmax(y);
  for (int k = 0; k < N; ++k) near(known(k), double(shown(k)));
  double total = 0;
  for (int k = 0; k < N; ++k) total += double(known(k));
  near(T(total), 1);
}

// Rows of n elements, each beside a number of its own, so that they are no longer rows together: along both loops
// around them, in parts of an array whose other elements are NaN.
template <class T>
void check_rows_beside_numbers(int a, int b, int n, int threads) {
  CAPTURE(a);
  CAPTURE(b);
  CAPTURE(n);
  CAPTURE(threads);
  auto const context = rc::cpu(threads);
  T const nan = std::numeric_limits<T>::quiet_NaN();
  auto all = rc::eval(rc::full<T>(rc::shape(a, b, n + 1), nan), context);
  auto scales = rc::eval(rc::full<T>(rc::shape(a, b), T(0)), context);
  rc::ndarray<T, 2> over_first = rc::zeros<T>(rc::shape(b, n)), over_second = rc::zeros<T>(rc::shape(a, n)),
                    most_of_first = rc::full<T>(rc::shape(b, n), T(-1000));
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j) {
      scales(i, j) = T((i * 3 + j) % 5 - 2);
      for (int k = 0; k < n; ++k) {
        all(i, j, k) = number<T>(i + 2 * j, k);
        T const x = all(i, j, k) * scales(i, j);
        over_first(j, k) += x, over_second(i, k) += x;
        most_of_first(j, k) = std::fmax(most_of_first(j, k), x);
      }
    }
  auto const check = [&](auto const& x) {
    auto const scaled = x * scales(rc::all, rc::all, rc::newaxis);
    rc::ndarray<T, 2> const first = rc::sum(scaled, rc::axis<0>), second = rc::sum(scaled, rc::axis<1>),
                            most_of = rc::max(scaled, rc::axis<0>);
    CHECK(rc::array_equal(first, over_first));
    CHECK(rc::array_equal(second, over_second));
    CHECK(rc::array_equal(most_of, most_of_first));
  };
  auto const part = all(rc::all, rc::all, rc::range(0, n));
  check(part);
  check(rc::eval(part, context));
  // along the first axis of an array in which it is the second one
  auto const turned = rc::eval(rc::permute_dims(part, rc::axis<1, 0, 2>), context);
  check(rc::permute_dims(turned, rc::axis<1, 0, 2>));
}

}  // namespace

TEST_CASE("rows of every length, alone and below each other, with NaN behind them") {
  for (int n = 1; n <= most; ++n) check_rows<float>(n), check_rows<double>(n);
}

TEST_CASE("numbers that are none, at every place") {
  for (int n = 1; n <= most; ++n) check_special<float>(n), check_special<double>(n);
}

TEST_CASE("no elements are the identity") {
  rc::ndarray<float, 1> const none(0);
  rc::tensor<float> const sum = rc::sum(none), product = rc::prod(none), square = rc::sum(none * none);
  CHECK(sum.item() == 0);
  CHECK(product.item() == 1);
  CHECK(square.item() == 0);
}

TEST_CASE("halves and other parts of a register that the compiler knows") {
  check_known<float, 4>(), check_known<float, 8>(), check_known<float, 12>(), check_known<float, 16>();
  check_known<float, 24>(), check_known<double, 4>(), check_known<double, 8>(), check_known<double, 12>();
}

TEST_CASE("short rows of which there are none") {
  for (auto [a, b] : {std::pair(0, 5), std::pair(5, 0), std::pair(0, 0), std::pair(1, 0)}) {
    rc::ndarray<double, 3> const x(a, b, 3);
    rc::ndarray<double, 2> const scales(a, b);
    auto const scaled = x * scales(rc::all, rc::all, rc::newaxis);
    CHECK(rc::array_equal(rc::sum(scaled, rc::axis<0>), rc::zeros<double>(rc::shape(b, 3))));
    CHECK(rc::array_equal(rc::sum(scaled, rc::axis<1>), rc::zeros<double>(rc::shape(a, 3))));
  }
}

TEST_CASE("short rows beside numbers, in every order of the loops around them") {
  for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17})
    for (auto [a, b] : {std::pair(1, 1), std::pair(2, 3), std::pair(70, 5), std::pair(3, 300), std::pair(150, 130)})
      check_rows_beside_numbers<float>(a, b, n, 1), check_rows_beside_numbers<double>(a, b, n, 1);
  for (int n : {2, 3, 8})
    check_rows_beside_numbers<double>(300, 200, n, 2), check_rows_beside_numbers<float>(200, 400, n, 2);
}
