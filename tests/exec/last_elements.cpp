// The last elements of a row, fewer than a batch, of operations that are more than a few instructions: wherever results
// lie beside what is read, and in loops whose steps are calls.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr int most = 40;

double f(double x, double y) { return std::exp(-x) * std::tanh(y); }
bool near(double a, double b) { return std::fabs(a - b) <= 1e-14 * (1 + std::fabs(b)); }

std::vector<double> some(int n) {
  std::vector<double> x(std::size_t(n), 0.);
  for (int k = 0; k < n; ++k) x[std::size_t(k)] = .1 * ((k * 7 + 3) % 11 - 5) + .01 * k;
  return x;
}

// An LSTM's cell as a loop: many rows in each iteration, of which several are kept.
constexpr auto cell = [](auto carry, auto x) {
  auto [h, c] = carry;
  auto const in = rc::sigmoid(x + h), out = rc::sigmoid(x - h), change = rc::tanh(x * h + 0.1);
  auto const next = c * rc::sigmoid(h) + in * change;
  auto const y = out * rc::tanh(next);
  return std::tuple(std::tuple(y, next), y * rc::exp(x));
};
constexpr auto looped = [](auto h, auto c, auto xs) {
  auto [last, ys] = rc::scan(cell, std::tuple(h, c), xs);
  return rc::sum(std::get<0>(last) * std::get<1>(last)) + rc::sum(ys * ys);
};
constexpr auto unrolled = [](auto h, auto c, auto xs) {
  auto carry = std::tuple(h, c);
  auto sum = rc::sum(h) * 0.;
  for (int t = 0; t < 3; ++t) {
    auto [next, y] = cell(carry, xs(t));
    carry = next;
    sum += rc::sum(y * y);
  }
  return rc::sum(std::get<0>(carry) * std::get<1>(carry)) + sum;
};
template <int N>
void check_loop() {
  rc::tensor<double, N> h, c;
  rc::tensor<double, 3, N> xs;
  for (int k = 0; k < N; ++k) h(k) = .1 * (k % 5 - 2), c(k) = .2 * (k % 3 - 1);
  for (int k = 0; k < 3 * N; ++k) xs.data()[k] = .3 * ((k * 5 + 1) % 7 - 3);
  auto const [value, g] = rc::value_and_grad<0, 1, 2>(looped)(h, c, xs);
  auto const [plain, by_hand] = rc::value_and_grad<0, 1, 2>(unrolled)(h, c, xs);
  CHECK(near(value.item(), plain.item()));
  CHECK(numbers(std::get<0>(g)).near(numbers(std::get<0>(by_hand)), 1e-13));
  CHECK(numbers(std::get<1>(g)).near(numbers(std::get<1>(by_hand)), 1e-13));
  CHECK(numbers(std::get<2>(g)).near(numbers(std::get<2>(by_hand)), 1e-13));
}

}  // namespace

TEST_CASE("rows of every length, into a tensor of their own, into what they read, and beside it") {
  auto const y = some(2 * most);
  for (int n = 1; n <= most; ++n)
    for (int from = 0; from <= 9; ++from)
      for (int to = 0; to <= 9; ++to) {
        auto const before = some(most + 10);
        rc::ndarray<double, 1> x(most + 10), other(n), apart(n);
        for (int k = 0; k < most + 10; ++k) x(k) = before[std::size_t(k)];
        for (int k = 0; k < n; ++k) other(k) = y[std::size_t(k)];
        apart = rc::exp(-x(rc::range(from, from + n))) * rc::tanh(other);
        x(rc::range(to, to + n)) = rc::exp(-x(rc::range(from, from + n))) * rc::tanh(other);
        bool all = true;
        for (int k = 0; k < most + 10; ++k) {
          bool const is_written = k >= to && k < to + n;
          double const e =
              is_written ? f(before[std::size_t(k - to + from)], y[std::size_t(k - to)]) : before[std::size_t(k)];
          all = all && near(x(k), e) && (!is_written || near(apart(k - to), e));
        }
        CHECK_MESSAGE(all, n, " elements, ", from, " to ", to);
      }
}

TEST_CASE("results that lie where arguments do") {
  auto const both = [](auto a, auto b) { return std::tuple(rc::exp(a) * b, rc::tanh(b) - rc::exp(a)); };
  for (int n = 1; n <= most; ++n) {
    auto const x = some(2 * n);
    rc::ndarray<double, 1> a(n), b(n);
    for (int k = 0; k < n; ++k) a(k) = x[std::size_t(k)], b(k) = x[std::size_t(n + k)];
    auto const u = a, v = b;
    rc::fn(both).into(b, a)(a, b);
    bool all = true;
    for (int k = 0; k < n; ++k)
      all = all && near(b(k), std::exp(u(k)) * v(k)) && near(a(k), std::tanh(v(k)) - std::exp(u(k)));
    CHECK_MESSAGE(all, n);
  }
}

TEST_CASE("columns are added up, which reads what it writes") {
  for (int n = 1; n <= most; ++n) {
    rc::ndarray<double, 2> x(3, n);
    for (int k = 0; k < 3 * n; ++k) x.data()[k] = .1 * (k % 13 - 6);
    rc::ndarray<double, 1> const sums = rc::sum(rc::exp(x), rc::axis<0>);
    bool all = true;
    for (int k = 0; k < n; ++k) all = all && near(sums(k), std::exp(x(0, k)) + std::exp(x(1, k)) + std::exp(x(2, k)));
    CHECK_MESSAGE(all, n);
  }
}

TEST_CASE("many short rows are added up to one number") {
  for (int const n : {1, 2, 3, 5, 14, 16, 19})
    for (int const rows : {1, 3, 70, 1500}) {
      rc::ndarray<double, 2> x(rows, n);
      rc::ndarray<double, 1> by(n);
      for (int k = 0; k < rows * n; ++k) x.data()[k] = .1 * (k % 13 - 6);
      for (int k = 0; k < n; ++k) by(k) = .3 * (k % 5 - 1);
      double products = 0, functions = 0, largest = -1e300;
      rc::index_t greater = 0;
      for (int r = 0; r < rows; ++r)
        for (int k = 0; k < n; ++k) {
          products += x(r, k) * by(k), functions += f(x(r, k), by(k));
          greater += x(r, k) > by(k), largest = std::fmax(largest, x(r, k) - by(k));
        }
      CHECK(rc::eval(rc::sum(x * by)).item() == doctest::Approx(products).epsilon(1e-12));
      CHECK(rc::eval(rc::sum(rc::exp(-x) * rc::tanh(by))).item() == doctest::Approx(functions).epsilon(1e-12));
      CHECK(rc::eval(rc::max(x - by)).item() == largest);
      CHECK(rc::eval(rc::count_nonzero(x > by)).item() == greater);
      CHECK(rc::eval(rc::any(x > by)).item() == (greater > 0));
    }
}

TEST_CASE("a loop of many short rows") {
  check_loop<1>();
  check_loop<5>();
  check_loop<14>();
  check_loop<16>();
}
