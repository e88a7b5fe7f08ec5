// Transforms of functions, nested in every order. Each kind is written here as a function from an elementwise function
// to its elementwise derivative, so that they can be put into one another: all pairs, and all triples of the three
// modes.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr auto by_grad = [](auto f) {
  return [=](auto x) { return rc::grad([=](auto y) { return rc::sum(f(y)); })(x); };
};
constexpr auto by_value_and_grad = [](auto f) {
  return [=](auto x) { return rc::value_and_grad([=](auto y) { return rc::sum(f(y)); })(x).second; };
};
constexpr auto by_jvp = [](auto f) { return [=](auto x) { return rc::jvp(f)(x)(rc::ones_like(x)).second; }; };
constexpr auto by_vjp = [](auto f) {
  return [=](auto x) {
    auto [value, pull] = rc::vjp(f)(x);
    return std::get<0>(pull(rc::ones_like(value)));
  };
};
constexpr auto by_fn = [](auto f) { return [=](auto x) { return rc::fn(f)(x); }; };
constexpr auto by_interpret = [](auto f) { return [=](auto x) { return rc::interpret(f)(x); }; };

constexpr auto quartic = [](auto x) { return x * x * x * x; };
rc::tensor<double, 3> const x{1, -2, 0.5};
rc::ndarray<double, 1> const dynamic{1, -2, 0.5};
numbers const first{4, -32, 0.5}, second{12, 48, 3}, third{24, -48, 12};

}  // namespace

TEST_CASE("each kind on its own, traced and interpreted, over static and dynamic extents") {
  auto const check = [](auto kind) {
    CHECK(numbers(rc::fn(kind(quartic))(x)) == first);
    CHECK(numbers(rc::fn(kind(quartic))(dynamic)) == first);
    CHECK(numbers(rc::interpret(kind(quartic))(x)) == first);
  };
  check(by_grad);
  check(by_value_and_grad);
  check(by_jvp);
  check(by_vjp);
}

TEST_CASE("pairs: second derivatives, four kinds in four") {
  auto const with = [](auto outer) {
    CHECK(numbers(rc::fn(outer(by_grad(quartic)))(x)) == second);
    CHECK(numbers(rc::fn(outer(by_value_and_grad(quartic)))(x)) == second);
    CHECK(numbers(rc::fn(outer(by_jvp(quartic)))(x)) == second);
    CHECK(numbers(rc::fn(outer(by_vjp(quartic)))(x)) == second);
  };
  with(by_grad);
  with(by_value_and_grad);
  with(by_jvp);
  with(by_vjp);
}

TEST_CASE("pairs with what changes no value") {
  CHECK(numbers(rc::fn(by_grad(by_fn(by_jvp(quartic))))(x)) == second);
  CHECK(numbers(rc::fn(by_fn(by_grad(by_interpret(by_vjp(quartic)))))(x)) == second);
  CHECK(numbers(rc::interpret(by_vjp(by_interpret(by_grad(by_fn(quartic)))))(x)) == second);
  CHECK(numbers(rc::interpret(by_fn(by_jvp(by_vjp(quartic))))(dynamic)) == second);
}

TEST_CASE("triples of grad, jvp and vjp") {
  auto const with = [](auto outer, auto middle) {
    CHECK(numbers(rc::fn(outer(middle(by_grad(quartic))))(x)) == third);
    CHECK(numbers(rc::fn(outer(middle(by_jvp(quartic))))(x)) == third);
    CHECK(numbers(rc::fn(outer(middle(by_vjp(quartic))))(x)) == third);
  };
  with(by_grad, by_grad);
  with(by_grad, by_jvp);
  with(by_grad, by_vjp);
  with(by_jvp, by_grad);
  with(by_jvp, by_jvp);
  with(by_jvp, by_vjp);
  with(by_vjp, by_grad);
  with(by_vjp, by_jvp);
  with(by_vjp, by_vjp);
}

TEST_CASE("directly on tensors, without a function around them") {
  auto const f = [](auto v) { return rc::sum(v * v * v * v); };
  auto const [g, t] = rc::jvp(rc::grad(f))(x)(rc::ones_like(x));
  CHECK(numbers(g) == first);
  CHECK(numbers(t) == second);
  auto const [h, pull] = rc::vjp(rc::grad(f))(x);
  CHECK(numbers(h) == first);
  CHECK(numbers(std::get<0>(pull(rc::ones_like(x)))) == second);
  auto const [pair, tangents] = rc::jvp(rc::value_and_grad(f))(x)(rc::ones_like(x));
  CHECK(double(pair.first) == 17.0625);
  CHECK(double(tangents.first) == -27.5);
  CHECK(numbers(tangents.second) == second);
  auto const [both, back] = rc::vjp(rc::value_and_grad(f))(x);
  CHECK(numbers(std::get<0>(back(std::pair(rc::tensor<double>(1.), rc::ones_like(x))))) == numbers{16, 16, 3.5});
  CHECK(double(rc::grad(rc::grad(rc::grad(quartic)))(2.)) == 48);
  CHECK(double(rc::interpret(rc::grad(rc::grad(quartic)))(2.)) == 48);
  auto const [v, d] = rc::interpret(rc::jvp(f))(x)(rc::ones_like(x));
  CHECK(double(d) == -27.5);
  auto const [w, interpreted_pull] = rc::interpret(rc::vjp(f))(x);
  CHECK(double(v) == double(w));
  CHECK(numbers(std::get<0>(interpreted_pull(1.))) == first);
}

TEST_CASE("an inner derivative does not take an outer variable for its own") {
  // d/dx (x * d/dz (z + x)) = 1: the inner derivative is 1, whatever x is
  auto const confused = [](auto v) { return v * rc::grad([=](auto z) { return z + v; })(v); };
  CHECK(double(rc::fn([](auto v) { return rc::grad([=](auto z) { return z + v; })(v); })(3.)) == 1);
  CHECK(double(rc::grad(confused)(3.)) == 1);
  CHECK(double(rc::jvp(confused)(3.)(1.).second) == 1);
  // d/dx (x * d/dz (z x) at z = 5) = 2 x
  auto const product = [](auto v) { return v * rc::grad([=](auto z) { return z * v; })(5. * rc::ones_like(v)); };
  CHECK(double(rc::grad(product)(3.)) == 6);
  CHECK(double(rc::interpret(rc::grad(product))(3.)) == 6);
  // tangents of the two levels, also where both points are the same value
  auto const forward = [](auto v) { return rc::jvp([=](auto z) { return z * v; })(v)(rc::ones_like(v)).second; };  // v
  CHECK(double(rc::jvp(forward)(3.)(1.).second) == 1);
  CHECK(double(rc::grad(forward)(3.)) == 1);
  auto const backward = [](auto v) {
    return std::get<0>(rc::vjp([=](auto z) { return z * z * v; })(v).second(1.));
  };  // 2 v^2
  CHECK(double(rc::grad(backward)(3.)) == 12);
}

// Derivatives of s x^2 summed, by x and by a plain number s = 2, which is a leaf of every transform.
constexpr auto scaled = [](auto v, auto s) { return rc::sum(s * v * v); };
constexpr auto by_numbers = [](auto v) {
  auto const [value, pull] = rc::vjp(scaled)(v, 2.);
  auto const [cx, cs] = pull(1.);
  auto const [same, tangent] = rc::jvp(scaled)(v, 2.)(v, 1);
  auto const [gx, gs] = rc::grad<0, 1>(scaled)(v, 2.);
  auto const [fx, fs] = rc::jacfwd<0, 1>(scaled)(v, 2.);
  auto const [rx, rs] = rc::jacrev<0, 1>(scaled)(v, 2.);
  auto const parts = rc::stack(value, cs, same, tangent, gs, fs, rs, rc::axis<0>);
  return rc::concat(parts, cx, gx, fx, rx, rc::hvp(scaled)(v, 2., v), rc::axis<0>);
};
// inside of trees: beside symbols, in an aggregate, and a tensor of constants
template <class A, class B>
struct two_of {
  A a;
  B b;
};
constexpr auto of_trees = [](auto t, auto p, auto c) {
  auto const [a, b] = p;
  return rc::sum(std::get<0>(t) * std::get<1>(t) * c * a) * b * std::get<2>(t);
};
constexpr auto by_trees = [](auto v) {
  auto const t = std::tuple(v, 2., 3);
  auto const p = two_of<float, double>{2, .5};
  auto const c = rc::full<double>(rc::extents<3>{}, 2.);
  auto const [value, pull] = rc::vjp(of_trees)(t, p, c);
  auto const [ct, cp, cc] = pull(1.);
  auto const [ca, cb] = cp;
  auto const [ga, gb] = rc::grad<1>(of_trees)(t, p, c);
  auto const tangent = rc::jvp(of_trees)(t, p, c)(std::tuple(v, 1., 0), two_of<float, double>{2, 0}, c).second;
  return rc::concat(
      rc::stack(value, std::get<1>(ct), ca, cb, ga, gb, tangent, rc::axis<0>), std::get<0>(ct), cc,
      rc::hvp([](auto u, auto q) { return rc::sum(std::get<0>(q) * u * u) * std::get<1>(q); })(v, std::tuple(v, 2.), v),
      rc::axis<0>);
};

TEST_CASE("plain numbers are leaves of all transforms inside a traced function, as they are outside") {
  rc::tensor<double, 3> const v{1, 2, 3};
  rc::ndarray<double, 1> const vd = v;
  numbers const want{28, 14, 28, 70, 14, 14, 14, 4, 8, 12, 4, 8, 12, 4, 8, 12, 4, 8, 12, 4, 8, 12};
  CHECK(numbers(rc::fn(by_numbers)(v)) == want);
  CHECK(numbers(rc::fn(by_numbers)(vd)) == want);
  CHECK(numbers(rc::interpret(by_numbers)(v)) == want);
  CHECK(double(std::get<1>(rc::vjp(scaled)(v, 2.).second(1.))) == 14);
  CHECK(double(rc::jvp(scaled)(v, 2.)(v, 1).second) == 70);
  numbers const of_both{72, 36, 36, 144, 36, 144, 252, 12, 12, 12, 6, 12, 18, 4, 16, 36};
  CHECK(numbers(rc::fn(by_trees)(v)) == of_both);
  CHECK(numbers(rc::interpret(by_trees)(v)) == of_both);
  // the tangent of a number that stays as it is is 0, though the number be infinite
  auto const flat = [](auto u) {
    return rc::hvp([](auto w, auto s) { return rc::sum(w * w / s); })(u, std::numeric_limits<double>::infinity(), u);
  };
  CHECK(numbers(rc::fn(flat)(v)) == numbers{0, 0, 0});
}

TEST_CASE("a saddle: the derivative of a minimum over an inner variable") {
  // y(x) by gradient steps on (y - x^2)^2 / 2, then d/dx of y
  auto const inner = [](auto v) {
    auto y = 0. * v;
    for (int step = 0; step < 60; ++step)
      y = y - 0.3 * rc::grad([=](auto u) { return 0.5 * (u - v * v) * (u - v * v); })(y);
    return y;
  };
  CHECK(double(rc::fn(inner)(1.5)) == doctest::Approx(2.25));
  CHECK(double(rc::grad(inner)(1.5)) == doctest::Approx(3));
  CHECK(double(rc::jvp(inner)(1.5)(1.).second) == doctest::Approx(3));
}

TEST_CASE("products of the second derivative with a vector, without the matrix") {
  // f = sum of x_i^2 x_j^2 over neighbours
  auto const f = [](auto v) {
    auto const a = v(rc::range<0, 2>()), b = v(rc::range<1, 3>());
    return rc::sum(a * a * b * b);
  };
  rc::tensor<double, 3> const v{1, 1, 0};
  auto const forward_over_reverse = [=](auto p, auto q) { return rc::jvp(rc::grad(f))(p)(q).second; };
  auto const reverse_over_forward = [=](auto p, auto q) {
    return rc::grad([=](auto u) { return rc::jvp(f)(u)(q).second; })(p);
  };
  auto const reverse_over_reverse = [=](auto p, auto q) {
    return rc::grad([=](auto u) { return rc::sum(rc::grad(f)(u) * q); })(p);
  };
  // H at (1, -2, 0.5): [[8, -8, 0], [-8, 2.5, -4], [0, -4, 8]]
  numbers const want{0, -5.5, -4};
  CHECK(numbers(rc::fn(forward_over_reverse)(x, v)) == want);
  CHECK(numbers(rc::fn(reverse_over_forward)(x, v)) == want);
  CHECK(numbers(rc::fn(reverse_over_reverse)(x, v)) == want);
}
