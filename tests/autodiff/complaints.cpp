// What users of differentiation suffer from elsewhere, each as a test that it does not happen here: cost that grows
// with the number of uses, expressions computed twice, NaN from branches that were not taken, derivatives at 0 and at
// ties, arrays of zeros for each element that is read. Orders beyond the first are guarded in jet.cpp, what is kept in
// saved.cpp, the message for a function that is no number in tests/fail/grad_of_vector.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class F, class... X>
double operations(F const& f, X const&... x) {
  return static_cast<double>(rc::count(f, x...).operations);
}
// The gradient by argument 0, value included, costs at most four times the function.
template <class F, class... X>
void check_cost(F const& f, X const&... x) {
  double const value = operations(rc::fn(f), x...), gradient = operations(rc::value_and_grad(f), x...);
  INFO(value, " ", gradient);
  CHECK(gradient <= 4 * value);
}

template <int N>
constexpr auto squared = [](auto x) {
  for (int i = 0; i < N; ++i) x = x * x;
  return rc::sum(x);
};
template <int N>
constexpr auto residual = [](auto x) {
  for (int i = 0; i < N; ++i) x = x + rc::tanh(x * 0.5);
  return rc::sum(x);
};
template <int N>
constexpr auto residual_products = [](auto w, auto x) {
  for (int i = 0; i < N; ++i) x = x + rc::tanh(rc::matmul(x, w));
  return rc::sum(x);
};
// how far a polynomial of N coefficients is from the sign, at points t
template <int N>
constexpr auto least_squares = [](auto x, auto t) {
  auto y = x(N - 1) + 0. * t;
  for (int k = N - 2; k >= 0; --k) y = y * t + x(k);
  return 0.5 * rc::sum(rc::square(rc::sign(t) - y));
};
constexpr auto polynomial = [](auto coefficients, auto t) {
  auto const horner = [=](auto y, auto c) { return std::pair{y * t + c, c}; };
  auto [last, all] = rc::scan(horner, 0. * t, coefficients);
  return last;
};

}  // namespace

TEST_CASE("gradients cost at most four times their function, however long it is") {
  rc::tensor<double, 64> const x = 0.5;
  check_cost(squared<4>, x), check_cost(squared<16>, x), check_cost(squared<64>, x);
  check_cost(residual<4>, x), check_cost(residual<16>, x), check_cost(residual<64>, x);
  rc::tensor<double, 8, 8> const w = 0.1;
  rc::tensor<double, 4, 8> const h = 0.1;
  check_cost(residual_products<2>, w, h), check_cost(residual_products<8>, w, h);
  rc::ndarray<double, 1> const t = rc::linspace<double>(-1, 1, 128);
  check_cost(least_squares<4>, rc::tensor<double, 4>{}, t), check_cost(least_squares<32>, rc::tensor<double, 32>{}, t);
}
TEST_CASE("what is written twice is computed once") {
  rc::tensor<double, 16> const x = 0.5;
  auto const twice = [](auto a) { return rc::sum(rc::exp(a * a) * rc::sin(rc::exp(a * a))); };
  auto const once = [](auto a) {
    auto const e = rc::exp(a * a);
    return rc::sum(e * rc::sin(e));
  };
  CHECK(operations(rc::fn(twice), x) == operations(rc::fn(once), x));
  CHECK(operations(rc::grad(twice), x) == operations(rc::grad(once), x));
  auto const by_hand = [](auto a) {
    auto const e = rc::exp(a);
    return std::pair{rc::sum(e), e};
  };
  auto const sum_of_exp = [](auto a) { return rc::sum(rc::exp(a)); };
  CHECK(operations(rc::value_and_grad(sum_of_exp), x) == operations(rc::fn(by_hand), x));
}
TEST_CASE("a branch that is not taken gives no NaN, to the second order") {
  rc::tensor<double, 3> const x{0, 4, -1};
  auto const f = [](auto a) { return rc::sum(rc::where(a > 0., rc::sqrt(a) * rc::log(a), a * a)); };
  numbers const expected{0, (std::log(4.) / 2 + 1) / 2, -2};
  CHECK(numbers(rc::grad(f)(x)).near(expected, 1e-14));
  CHECK(numbers(rc::interpret(rc::grad(f))(x)).near(expected, 1e-14));
  // the second derivative of sqrt(a) log(a) is -log(a) / (4 a^1.5)
  numbers const second{2, -std::log(4.) / 32, 2};
  CHECK(numbers(rc::hvp(f)(x, rc::ones_like(x))).near(second, 1e-14));
  CHECK(numbers(rc::interpret(rc::hvp(f))(x, rc::ones_like(x))).near(second, 1e-14));
  auto const guarded = [](auto a) { return rc::sum(rc::where(a == 0., 1., rc::sin(a) / a)); };
  CHECK(numbers(rc::grad(guarded)(rc::tensor<double, 2>{0, 0})) == numbers{0, 0});
}
TEST_CASE("norms and absolute values have derivative 0 at 0") {
  rc::tensor<double, 3> const zero{};
  auto const both = [&](auto const& f) {
    CHECK(numbers(rc::grad(f)(zero)) == numbers{0, 0, 0});
    CHECK(numbers(rc::interpret(rc::grad(f))(zero)) == numbers{0, 0, 0});
    CHECK(double(rc::jvp(f)(zero)(rc::ones_like(zero)).second) == 0);
  };
  both([](auto a) { return rc::norm(a); });
  both([](auto a) { return rc::sum(rc::abs(a)); });
  both([](auto a) { return rc::sqrt(rc::sum(a * a)); });
  rc::tensor<double, 2, 2> const rows{{3, 4}, {0, 0}};
  auto const of_rows = [](auto a) { return rc::sum(rc::norm(a, rc::axis<1>)); };
  CHECK(numbers(rc::grad(of_rows)(rows)).near(numbers{0.6, 0.8, 0, 0}, 1e-15));
}
TEST_CASE("reading an element costs its cotangent one element, not an array") {
  // by a loop: ten times the coefficients, ten times the work
  rc::ndarray<double, 1> const few = rc::linspace<double>(-1, 1, 1000), many = rc::linspace<double>(-1, 1, 10000);
  auto const derived = rc::value_and_grad(polynomial);
  rc::cost const a = rc::count(derived, few, 0.9), b = rc::count(derived, many, 0.9);
  CHECK(b.operations <= 10 * a.operations);
  CHECK(b.bytes <= 10 * a.bytes);
  check_cost(polynomial, many, 0.9);
  auto const g = rc::grad(polynomial)(many, 0.9);
  CHECK(g(9999) == 1);
  CHECK(g(9990) == doctest::Approx(std::pow(0.9, 9)).epsilon(1e-14));
  CHECK(g(0) == doctest::Approx(std::pow(0.9, 9999)));
}
TEST_CASE("variables that loops overwrite, and elements that are assigned, against differences") {
  auto const overwritten = [](auto x) {
    auto h = x * 1.;
    for (int i = 0; i < 4; ++i) {
      auto const before = h(i % 3) * x(0);
      h = h * x;
      h(i % 3) = before + rc::sin(h(2));
    }
    return rc::sum(h);
  };
  auto const values = rc::tensor<double, 3>{0.5, -1.25, 0.75};
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    CHECK(rc::check_grads(overwritten, values, {.order = 2, .seed = seed, .directions = 1}));
  CHECK(numbers(rc::grad(overwritten)(values)).near(numbers(rc::interpret(rc::grad(overwritten))(values)), 1e-14));
}
TEST_CASE("ties are shared, and what is multiplied by no dependence is 0") {
  rc::tensor<double, 3> const x{2, 2, 1}, y{2, 1, 1};
  auto const both = [](auto const& f, auto const& at, numbers const& expected) {
    CHECK(numbers(rc::grad(f)(at)) == expected);
    CHECK(numbers(rc::interpret(rc::grad(f))(at)) == expected);
  };
  both([](auto a) { return rc::max(a); }, x, {0.5, 0.5, 0});
  both([](auto a) { return rc::min(a); }, y, {0, 0.5, 0.5});
  both([](auto a) { return rc::sum(rc::maximum(a, 2.)); }, x, {0.5, 0.5, 0});
  both([](auto a) { return rc::sum(rc::minimum(a, 2.)); }, x, {0.5, 0.5, 1});
  both([](auto a) { return rc::sum(rc::maximum(a, a)); }, x, {1, 1, 1});
  // a derivative that is nowhere stays exactly 0 beside infinity
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  both([](auto a) { return rc::sum(a) + infinite * rc::sum(rc::sign(a)); }, x, {1, 1, 1});
  both([](auto a) { return rc::sum(rc::where(a > 1.5, a, infinite * a)); }, rc::tensor<double, 2>{2, 3}, {1, 1});
}
