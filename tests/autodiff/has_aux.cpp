// Auxiliary results: they are what f computes, and gradients are those of f without them.
#include <doctest/doctest.h>

#include <tuple>
#include <utility>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class Kind = rc::values>
struct line {
  rc::field<Kind, double, rc::dyn> w;
  rc::field<Kind, double> b;
};

constexpr auto prediction = [](auto const& p, auto const& x) { return rc::matmul(x, p.w) + p.b; };
constexpr auto loss = [](auto const& p, auto const& x, auto const& y) {
  return rc::mean(rc::square(prediction(p, x) - y));
};
// with the predictions and where the worst of them is, an integer
constexpr auto with_predictions = [](auto const& p, auto const& x, auto const& y) {
  auto const out = prediction(p, x);
  auto const error = rc::square(out - y);
  return std::pair(rc::mean(error), std::tuple(out, rc::argmax(error)));
};

line<> const start{rc::ndarray<double, 1>{1, -2}, .5};
rc::ndarray<double, 2> const x{{1, 2}, {3, -1}, {0, 4}};
rc::ndarray<double, 1> const y{1, 7, -7};

}  // namespace

TEST_CASE("value, auxiliary results and gradient") {
  auto const [outcome, g] = rc::value_and_grad(with_predictions, rc::has_aux)(start, x, y);
  auto const [value, plain] = rc::value_and_grad(loss)(start, x, y);
  auto const& [out, worst] = outcome.second;
  CHECK(outcome.first == value);
  CHECK(rc::all(g.w == plain.w));
  CHECK(g.b == plain.b);
  CHECK(rc::all(out == rc::ndarray<double, 1>{-2.5, 5.5, -7.5}));
  CHECK(worst == 0);
  auto const [same, aux] = rc::grad(with_predictions, rc::has_aux)(start, x, y);
  CHECK(rc::all(same.w == plain.w));
  CHECK(rc::all(std::get<0>(aux) == out));
}

TEST_CASE("several arguments, and auxiliary results that do not depend on them") {
  auto const f = [](auto a, auto n, auto b) { return std::pair(rc::sum(a * b), std::pair(n + 1, rc::sum(b))); };
  rc::tensor<double, 3> const a{1, 2, 3}, b{-1, 0, 5};
  auto const [outcome, g] = rc::value_and_grad<0, 2>(f, rc::has_aux)(a, 7, b);
  CHECK(outcome.first == 14);
  CHECK(outcome.second.first == 8);
  CHECK(outcome.second.second == 4);
  CHECK(rc::all(std::get<0>(g) == b));
  CHECK(rc::all(std::get<1>(g) == a));
  // what is auxiliary may be the number itself, and the result may be an argument
  auto const [by, itself] = rc::grad([](auto s) { return std::pair(s, s); }, rc::has_aux)(3.);
  CHECK(by == 1);
  CHECK(itself == 3);
}

TEST_CASE("inside of others: batches, derivatives of the auxiliary results, interpretation") {
  auto const f = [](auto t) { return std::pair(t * t * t, rc::sin(t)); };
  auto const both = rc::grad(f, rc::has_aux);
  rc::tensor<double, 3> const ts{.5, -1, 2};
  auto const [g, aux] = rc::vmap(both)(ts);
  CHECK(rc::all(rc::abs(g - 3 * ts * ts) < 1e-14));
  CHECK(rc::all(aux == rc::eval(rc::sin(ts))));
  // d/dt (3 t^2 sin t)
  auto const product = [=](auto t) {
    auto const [slope, s] = both(t);
    return slope * s;
  };
  CHECK(double(rc::grad(product)(.7)) == doctest::Approx(6 * .7 * std::sin(.7) + 3 * .7 * .7 * std::cos(.7)));
  auto const [slope, s] = rc::interpret(both)(.7);
  CHECK(double(slope) == doctest::Approx(3 * .7 * .7));
  CHECK(double(s) == doctest::Approx(std::sin(.7)));
}
