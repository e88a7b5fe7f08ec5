// The pushforward of linearize against jvp, the interpreter and formulas: called several times, owning what it keeps.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto layer = [](auto x, auto w) { return rc::tanh(rc::matmul(x, w)); };
template <class Kind = rc::values>
struct parameters {
  rc::field<Kind, double, 3, 2> w;
  rc::field<Kind, double> b;
};
constexpr auto model = [](auto const& p, auto const& x) {
  auto const h = rc::tanh(rc::matmul(x, p.w) + p.b);
  return std::tuple{h, rc::sum(rc::exp(h))};
};
rc::tensor<double, 2, 3> const x{{1, -2, 0.5}, {0.25, 0.5, -1}}, dx{{1, 0, 2}, {-1, 0.5, 1}};
rc::tensor<double, 3, 2> const w{{0.5, -1}, {0.25, 0.75}, {1, 0.1}}, dw{{1, 1}, {-1, 2}, {0.5, 0}};

}  // namespace

TEST_CASE("a map that is called again") {
  rc::tensor<double, 3> a{-1, 0, 800};
  auto [y, push] = rc::linearize(cube)(a);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(y)>, rc::tensor<double, 3>>);
  CHECK(numbers(y) == numbers{-1, 0, 512e6});
  auto const copy = push;
  a = 5.;  // what is kept is the map's own
  CHECK(numbers(push(rc::tensor<double, 3>{1, 1, 1})) == numbers{3, 0, 192e4});
  CHECK(numbers(copy(rc::tensor<double, 3>{2, 3, 0})) == numbers{6, 0, 0});
  auto const [ny, npush] = rc::linearize(cube)(2.);
  CHECK(double(ny) == 8);
  CHECK(double(npush(0.5)) == 6);
}
TEST_CASE("as jvp, of several arguments, static and dynamic, interpreted") {
  auto const expected = rc::jvp(layer)(x, w)(dx, dw);
  auto const check = [&](auto const& both, auto const& tx, auto const& tw) {
    CHECK(numbers(both.first).near(numbers(expected.first), 1e-15));
    for (int again = 0; again < 2; ++again) CHECK(numbers(both.second(tx, tw)).near(numbers(expected.second), 1e-14));
    CHECK(numbers(both.second(rc::zeros_like(tx), rc::zeros_like(tw))) == numbers{0, 0, 0, 0});
  };
  check(rc::linearize(layer)(x, w), dx, dw);
  check(rc::interpret(rc::linearize(layer))(x, w), dx, dw);
  rc::ndarray<double, 2> const nx = x, nw = w, ndx = dx, ndw = dw;
  check(rc::linearize(layer)(nx, nw), ndx, ndw);
  check(rc::interpret(rc::linearize(layer))(nx, nw), ndx, ndw);
  auto const of_views = rc::linearize(layer)(nx, nw.T().T()).second;
  CHECK(numbers(of_views(ndx, ndw)).near(numbers(expected.second), 1e-14));
  CHECK(numbers(of_views(ndx + 0., 1. * ndw)).near(numbers(expected.second), 1e-14));
}
TEST_CASE("the half that does not depend on tangents is computed once, and kept") {
  auto const f = [](auto a) { return rc::exp(rc::sin(a)); };
  rc::ndarray<double, 1> const a = rc::linspace<double>(0, 1, 1000);
  auto const push = rc::linearize(f)(a).second;
  CHECK(push.bytes() <= 2 * 8000);  // the derivative, or its two factors
  CHECK(push.bytes() > 0);
  CHECK(rc::linearize([](auto b) { return rc::sum(b); })(a).second.bytes() == 0);
}
TEST_CASE("records, tuples, integers and numbers") {
  parameters<> p{w, {}}, dp{dw, {}};
  p.b = 0.5, dp.b = -1;
  auto const [value, push] = rc::linearize(model)(p, x);
  auto const [h, total] = push(dp, dx);
  auto const expected = rc::jvp(model)(p, x)(dp, dx).second;
  CHECK(numbers(h).near(numbers(std::get<0>(expected)), 1e-14));
  CHECK(double(total) == doctest::Approx(double(std::get<1>(expected))).epsilon(1e-13));
  auto const interpreted = rc::interpret(rc::linearize(model))(p, x).second(dp, dx);
  CHECK(numbers(std::get<0>(interpreted)).near(numbers(h), 1e-14));
  auto const power = [](auto a, auto n) { return a * a * rc::astype<double>(n); };
  rc::tensor<double, 2> const a{3, 4};
  rc::tensor<int, 2> const n{2, 5};
  CHECK(numbers(rc::linearize(power)(a, n).second(rc::ones_like(a), n)) == numbers{12, 40});
}
TEST_CASE("in traced functions: derived, batched, nested") {
  auto const twice = [](auto a, auto t) {
    auto [y, push] = rc::linearize(cube)(a);
    return push(t) + push(2. * t) + y;
  };
  rc::tensor<double, 3> const a{1, 2, -1}, t{1, 0.5, 2};
  numbers const expected{1 + 9, 8 + 18, -1 + 18};
  CHECK(numbers(rc::fn(twice)(a, t)) == expected);
  CHECK(numbers(rc::interpret(twice)(a, t)) == expected);
  // d/da of a^3 + 9 a^2 t
  CHECK(numbers(rc::grad([=](auto b, auto u) { return rc::sum(twice(b, u)); })(a, t)) ==
        numbers{3 + 18, 12 + 18, 3 - 36});
  CHECK(numbers(rc::vmap(twice)(a, t)) == expected);
  auto const second = [](auto b) {
    return rc::linearize([](auto c) { return rc::linearize(cube)(c).second(rc::ones_like(c)); })(b).second(
        rc::ones_like(b));
  };
  CHECK(numbers(rc::fn(second)(a)) == numbers{6, 12, -6});
  CHECK(numbers(rc::linearize(rc::grad([](auto b) { return rc::sum(cube(b)); }))(a).second(t)) == numbers{6, 6, -12});
}
TEST_CASE("a loop is linearised as a whole") {
  auto const steps = [](auto x0, auto k) {
    auto const step = [](auto carry, auto rate) { return std::pair{carry - rate * carry * carry, rc::sum(carry)}; };
    auto [last, sums] = rc::scan(step, x0, k * rc::arange<double>(5, rc::like(x0)));
    return last + rc::sum(sums);
  };
  rc::tensor<double, 2> const x0{1, 0.5};
  auto const expected = rc::jvp(steps)(x0, 0.7)(rc::ones_like(x0), 0.25);
  auto const [y, push] = rc::linearize(steps)(x0, 0.7);
  CHECK(numbers(y).near(numbers(expected.first), 1e-15));
  CHECK(numbers(push(rc::ones_like(x0), 0.25)).near(numbers(expected.second), 1e-14));
  CHECK(numbers(push(rc::ones_like(x0), 0.25)).near(numbers(expected.second), 1e-14));
}
// Made outside of loops and branches, called in them.
constexpr auto stepped = [](auto z) {
  return rc::sin(z) + rc::fori_loop(
                          0, 3, [=](auto, auto c) { return c * z * .5 + rc::cos(c); }, z);
};
constexpr auto pulled_in_loop = [](auto v) {
  auto [y, pull] = rc::vjp(stepped)(v);
  return rc::fori_loop(
      0, 3, [pull = pull](auto, auto c) { return std::get<0>(pull(c)); }, rc::ones_like(v));
};
constexpr auto pulled_in_turn = [](auto v) {
  auto [y, pull] = rc::vjp(stepped)(v);
  return std::get<0>(pull(std::get<0>(pull(std::get<0>(pull(rc::ones_like(v)))))));
};
constexpr auto pushed_in_scan = [](auto v) {
  auto [y, push] = rc::linearize(stepped)(v);
  auto const step = [push = push](auto c, auto) { return std::pair(push(c), std::tuple{}); };
  return std::get<0>(rc::scan(step, rc::ones_like(v), v));
};
constexpr auto pulled_in_branch = [](auto v) {
  auto [y, pull] = rc::vjp(stepped)(v);
  return rc::cond(
      rc::sum(v) > 0., [pull = pull](auto c) { return std::get<0>(pull(c)); }, [](auto c) { return 2. * c; },
      rc::ones_like(v));
};
TEST_CASE("maps that are called in loops and branches") {
  rc::tensor<double, 3> const a{.1, .5, 1.};
  rc::ndarray<double, 1> const d = a;
  auto const expected = numbers(rc::fn(pulled_in_turn)(a));
  for (numbers const& y : {numbers(rc::fn(pulled_in_loop)(a)), numbers(rc::fn(pulled_in_loop)(d)),
                           numbers(rc::interpret(pulled_in_loop)(a)), numbers(rc::fn(pushed_in_scan)(a)),
                           numbers(rc::interpret(pushed_in_scan)(a))})
    CHECK(y.near(expected, 1e-14));
  CHECK(numbers(rc::fn(pulled_in_branch)(a))
            .near(numbers(std::get<0>(rc::vjp(stepped)(a).second(rc::ones_like(a)))), 1e-14));
  auto const total = [](auto f) { return [f](auto v) { return rc::sum(f(v) * v); }; };
  CHECK(numbers(rc::grad(total(pulled_in_loop))(a)).near(numbers(rc::grad(total(pulled_in_turn))(a)), 1e-13));
  rc::tensor<std::complex<double>, 3> const z{1, 2, 3};
  auto const by_complex = [](auto v, auto t) { return rc::linearize(cube)(v).second(t); };
  CHECK(raised([&] { rc::interpret(by_complex)(a, z); }).starts_with("value_error: a tangent or cotangent of real"));
}

TEST_CASE("a tangent of another shape is an error") {
  rc::ndarray<double, 1> const a{1, 2, 3}, b{1, 2};
  auto const push = rc::linearize(cube)(a).second;
  CHECK(raised([&] { push(b); }) == "shape_error: linearize: a tangent of shape (2,) for an argument of shape (3,)");
}
