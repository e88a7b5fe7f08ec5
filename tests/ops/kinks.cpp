// What derivatives are where there is none: ties split equally, subgradients at 0 are 0, and what `where` leaves out
// leaks no NaN. Each is checked compiled and interpreted.
#include <doctest/doctest.h>

#include <limits>

#include "numbers.hpp"

namespace rc = ricci;

namespace {

template <class F, class... X>
void gradient_is(numbers const& expected, F f, X const&... x) {
  numbers const compiled(rc::grad(f)(x...)), interpreted(rc::interpret(rc::grad(f))(x...));
  INFO(compiled, " and ", interpreted, " for ", expected);
  CHECK(compiled.near(expected, 1e-14));
  CHECK(interpreted.near(expected, 1e-14));
}

}  // namespace

TEST_CASE("ties of maxima and minima split equally") {
  rc::tensor<double, 4> const x{1, 3, 3, 3};
  gradient_is(
      {0, 1. / 3, 1. / 3, 1. / 3}, [](auto a) { return rc::max(a); }, x);
  gradient_is(
      {-1, 0, 0, 0}, [](auto a) { return rc::max(-a); }, x);
  gradient_is(
      {1, 0, 0, 0}, [](auto a) { return rc::min(a); }, x);
  rc::tensor<double, 2, 2> const y{{2, 2}, {2, 5}};
  gradient_is(
      {0.5, 0, 0.5, 1}, [](auto a) { return rc::sum(rc::max(a, rc::axis<0>)); }, y);
  rc::tensor<double, 3> const a{1, 2, 3}, b{2, 2, 2};
  gradient_is(
      {0, 0.5, 1}, [](auto p, auto q) { return rc::sum(rc::maximum(p, q)); }, a, b);
  gradient_is(
      {1, 0.5, 0}, [](auto p, auto q) { return rc::sum(rc::minimum(p, q)); }, a, b);
  gradient_is(
      {2, 2, 2}, [](auto p) { return rc::sum(rc::maximum(p, p) + rc::minimum(p, p)); }, a);
}

TEST_CASE("gradients of extrema of floats are floats") {
  rc::tensor<float, 4> const x{1, 3, 2, 3};
  rc::ndarray<float, 2> const y{{1, 5, 2}, {4, 5, 6}};
  auto const whole = [](auto a) { return rc::max(a) * rc::max(a) + rc::min(a); };
  auto const along = [](auto a) { return rc::sum(rc::max(a, rc::axis<0>) * rc::min(a, rc::axis<0>)); };
  CHECK(numbers(rc::grad(whole)(x)) == numbers{1, 3, 0, 3});
  CHECK(numbers(rc::interpret(rc::grad(whole))(x)) == numbers{1, 3, 0, 3});
  CHECK(numbers(rc::grad(along)(y)) == numbers{4, 5, 6, 1, 5, 2});
  CHECK(numbers(rc::hvp(whole)(x, x)) == numbers{0, 3, 0, 3});
}

TEST_CASE("subgradients at 0") {
  rc::tensor<double, 3> const x{-4, 0, 4};
  gradient_is(
      {-1, 0, 1}, [](auto a) { return rc::sum(rc::abs(a)); }, x);
  gradient_is(
      {0, 0, 1}, [](auto a) { return rc::sum(rc::relu(a)); }, x);
  rc::tensor<double, 3> const y{0, 1, 4};
  gradient_is(
      {0, 0.5, 0.25}, [](auto a) { return rc::sum(rc::sqrt(a)); }, y);
  // the norm of the zero vector, also the second time
  rc::tensor<double, 2> const zero{0, 0};
  gradient_is(
      {0, 0}, [](auto a) { return rc::sqrt(rc::sum(a * a)); }, zero);
  gradient_is(
      {0, 0}, [](auto a) { return rc::std(a); }, zero);
  gradient_is(
      {0, 0}, [](auto a) { return rc::norm(a); }, zero);
  gradient_is(
      {0, 0}, [](auto a) { return rc::sum(rc::grad([](auto p) { return rc::sqrt(rc::sum(p * p)); })(a)); }, zero);
  // steps have none anywhere
  gradient_is(
      {0, 0, 0}, [](auto a) { return rc::sum(rc::sign(a) + rc::floor(a) + rc::ceil(a) + rc::round(a)); }, x);
}

TEST_CASE("clip gives the derivative to what holds the result") {
  rc::tensor<double, 5> const x{-3, -1, 0, 1, 3};
  gradient_is(
      {0, 1, 1, 1, 0}, [](auto a) { return rc::sum(rc::clip(a, -1., 1.)); }, x);
  rc::tensor<double> const low = -1., high = 1.;
  gradient_is(
      {1}, [](auto l, auto a, auto h) { return rc::sum(rc::clip(a, l, h)); }, low, x, high);
}

TEST_CASE("powers") {
  rc::tensor<double, 4> const a{0, 0, 2, -3}, b{0, 2, 3, 2};
  gradient_is(
      {0, 0, 12, -6}, [](auto p, auto q) { return rc::sum(rc::pow(p, q)); }, a, b);
  rc::tensor<double, 3> const c{0, 1, 2}, d{0, 3, 2};
  gradient_is(
      {0, 0, 4 * std::log(2.)}, [](auto q, auto p) { return rc::sum(rc::pow(p, q)); }, d, c);
  gradient_is(
      {0, 4, 32}, [](auto p) { return rc::sum(rc::pow(p, 4)); }, c);
}

TEST_CASE("products with factors 0") {
  rc::tensor<double, 3> const x{0, 2, 3}, y{0, 0, 5};
  gradient_is(
      {6, 0, 0}, [](auto a) { return rc::prod(a); }, x);
  gradient_is(
      {0, 0, 0}, [](auto a) { return rc::prod(a); }, y);
}

TEST_CASE("where masks before other factors come in") {
  double const not_a_number = std::numeric_limits<double>::quiet_NaN();
  rc::tensor<double, 4> const x{-1, 0, 4, not_a_number};
  // the logarithm and the root of what is masked are NaN or infinite, and so are their derivatives
  gradient_is(
      {0, 0, 0.25, 0}, [](auto a) { return rc::sum(rc::where(a > 0., rc::log(a), 0.)); }, x);
  gradient_is(
      {0, 0, 0.25, 0}, [](auto a) { return rc::sum(rc::where(a > 0., rc::sqrt(a), 1.)); }, x);
  gradient_is(
      {0, 0, -0.0625, 0}, [](auto a) { return rc::sum(2. * rc::where(a > 0., 1. / (a * rc::exp(a - a)), 3.) * 0.5); },
      x);
  // through a chain, forwards and backwards
  auto const f = [](auto a) { return rc::where(a > 0., rc::log(rc::sqrt(a) * a), 0.); };
  rc::tensor<double, 4> const t{1, 1, 1, 1};
  auto const [value, tangent] = rc::jvp(f)(x)(t);
  CHECK(numbers(tangent).near({0, 0, 0.375, 0}, 1e-14));
  gradient_is(
      {0, 0, 0.375, 0}, [f](auto a) { return rc::sum(f(a)); }, x);
}

TEST_CASE("logsumexp and softmax where everything is infinite or equal") {
  double const infinity = std::numeric_limits<double>::infinity();
  rc::tensor<double, 3> const equal_ones{5, 5, 5}, masked{-infinity, 0, 0};
  gradient_is(
      {1. / 3, 1. / 3, 1. / 3}, [](auto a) { return rc::logsumexp(a); }, equal_ones);
  gradient_is(
      {0, 0.5, 0.5}, [](auto a) { return rc::logsumexp(a); }, masked);
  gradient_is(
      {0, 0.5, 0.5}, [](auto a) { return rc::log(rc::sum(rc::exp(a))); }, masked);
  rc::tensor<double, 3> const large{1000, 1001, 900};
  gradient_is(
      {1 / (1 + std::exp(1.)), 1 / (1 + std::exp(-1.)), 0}, [](auto a) { return rc::logsumexp(a); }, large);
}

TEST_CASE("extrema of no elements, and of NaN") {
  rc::ndarray<double, 2> const none(2, 0), missing{{1, std::numeric_limits<double>::quiet_NaN()}, {3, 2}};
  auto const f = [](auto a) { return rc::max(a, rc::axis<1>); };
  CHECK(numbers(std::get<1>(rc::jvp(f)(none)(none))) == numbers{0, 0});
  CHECK(rc::grad([](auto a) { return rc::sum(rc::max(a, rc::axis<1>)); })(none).size() == 0);
  auto const t = std::get<1>(rc::jvp(f)(missing)(rc::ones_like(missing)));
  CHECK((t(0) != t(0) && t(1) == 1));
}

TEST_CASE("a mask under another mask, behind a view") {
  rc::tensor<double, 2, 3> const x{{0, 2, 3}, {4, 5, 6}};
  auto const f = [](auto a) {
    auto const y = rc::diagonal(rc::log(a));
    return rc::sum(rc::where(rc::isfinite(y), rc::square(y), 0.));
  };
  gradient_is({0, 0, 0, 0, 2 * std::log(5.) / 5, 0}, f, x);
  gradient_is({0, 0, 0, 0, 2 * std::log(5.) / 5, 0}, f, rc::ndarray<double, 2>(x));
}

TEST_CASE("stop_gradient, integers and booleans carry no derivative") {
  rc::tensor<double, 3> const x{1, 2, 3};
  gradient_is(
      {1, 2, 3}, [](auto a) { return rc::sum(a * rc::stop_gradient(a)); }, x);
  gradient_is(
      {1, 2, 3}, [](auto a) { return rc::sum(a * rc::astype<int>(a)); }, x);
  gradient_is(
      {0, 1, 1}, [](auto a) { return rc::sum(a * (a > 1.)); }, x);
}
