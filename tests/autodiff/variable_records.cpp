// Records, tuples and arrays of variables: what they are made of, their gradients against those of the same function by
// rc::grad, and steps of an optimiser along them.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class Kind = rc::values>
struct layer {
  rc::field<Kind, double, 3, 3> w;
  rc::field<Kind, double, 3> b;
};
template <class Kind = rc::values>
struct net {
  layer<Kind> first, second;
  rc::field<Kind, double, rc::dyn> out;
  rc::field<Kind, double> scale;
};

net<> start() {
  net<> p{{}, {}, rc::ndarray<double, 1>{1, -2, .5}, .75};
  for (int i = 0; i < 3; ++i) {
    p.first.b(i) = .1 * i, p.second.b(i) = -.2 * i;
    for (int j = 0; j < 3; ++j) p.first.w(i, j) = std::sin(3 * i + j), p.second.w(i, j) = std::cos(i + 5 * j);
  }
  return p;
}

// of records of either kind
constexpr auto hidden = [](auto const& p, auto const& x) { return rc::tanh(rc::matmul(p.w, x) + p.b); };
constexpr auto loss = [](auto p, auto x) {
  return p.scale * rc::square(rc::sum(p.out * hidden(p.second, hidden(p.first, x))) - 1.);
};

}  // namespace

TEST_CASE("a record of variables has the gradients of the record, and learns as it does") {
  rc::tape tape;
  rc::tensor<double, 3> const x{.3, -.6, .9};
  net<> p = start();
  auto q = tape.variable(p, {.name = "net"});
  static_assert(std::is_same_v<decltype(q), net<rc::variables>>);
  static_assert(std::is_same_v<decltype(q.second.w), rc::variable<double, 3, 3>>);
  static_assert(std::is_same_v<decltype(q.out), rc::variable<double, rc::dyn>>);
  for (int round = 0; round < 3; ++round) {
    auto const [value, g] = rc::value_and_grad(loss)(p, x);
    rc::variable h = hidden(q.first, x);
    rc::variable k = hidden(q.second, h);
    rc::variable l = q.scale * rc::square(rc::sum(q.out * k) - 1.);
    l.backward();
    CHECK(double(l) == doctest::Approx(double(value)).epsilon(1e-13));
    auto const found = rc::tree_map([](auto const& w) { return w.grad(); }, q);
    static_assert(std::is_same_v<std::remove_const_t<decltype(found)>, net<>>);
    rc::tree_map([](auto const& a, auto const& b) { CHECK(numbers(a).near(numbers(b), 1e-12)); }, found, g);
    rc::tree_map([](auto& w, auto const& by) { w -= .1 * by; }, p, g);
    rc::tree_map([](auto& w) { w.value() -= .1 * w.grad(), w.zero_grad(); }, q);
  }
  net<> const learned = rc::tree_map([](auto const& w) { return w.value(); }, q);
  rc::tree_map([](auto const& a, auto const& b) { CHECK(numbers(a).near(numbers(b), 1e-12)); }, learned, p);
  CHECK(numbers(start().out) != numbers(learned.out));
}

TEST_CASE("moments beside them, a variable is shared by copies of the record") {
  rc::tape tape;
  layer<> p, speed;
  p.b = 1.;
  auto q = tape.variable(p);
  auto const same = q;
  for (int round = 0; round < 2; ++round) {
    rc::variable l = rc::sum(q.b * q.b);
    l.backward();
    rc::tree_map(
        [](auto& w, auto& v) {
          v = .5 * v - .25 * w.grad();
          w.value() += v;
          w.zero_grad();
        },
        q, speed);
  }
  // 1, then .5 (speed -.5), then 0 (speed -.25 - .25)
  CHECK(numbers(same.b.value()) == numbers{0, 0, 0});
  CHECK(numbers(speed.b) == numbers{-.5, -.5, -.5});
}

TEST_CASE("arrays, tuples, pairs, numbers, batches, no gradient wanted") {
  rc::tape tape;
  std::array<layer<>, 2> layers;
  layers[1].b = 2.;
  auto a = tape.variable(layers);
  static_assert(std::is_same_v<decltype(a), std::array<layer<rc::variables>, 2>>);
  auto t = tape.variable(std::tuple(rc::tensor<float, 2>{1, 2}, std::pair(3., rc::ndarray<double, 1>{4, 5})));
  static_assert(
      std::is_same_v<decltype(t), std::tuple<rc::variable<float, 2>,
                                             std::pair<rc::variable<double>, rc::variable<double, rc::dyn>>>>);
  rc::variable s = rc::sum(a[1].b * std::get<1>(t).first);
  s.backward();
  CHECK(numbers(a[1].b.grad()) == numbers{3, 3, 3});
  CHECK(numbers(a[0].b.grad()) == numbers{0, 0, 0});
  CHECK(double(std::get<1>(t).first.grad()) == 6);

  layer<rc::batched<rc::values, 2>> two;
  two.b = 1.;
  auto b = tape.variable(two, {.requires_grad = false});
  static_assert(std::is_same_v<decltype(b), layer<rc::batched<rc::variables, 2>>>);
  CHECK(!b.b.requires_grad());
  CHECK(numbers(b.b.value()) == numbers{1, 1, 1, 1, 1, 1});
  auto const doubled = rc::tree_map([](auto const& w) { return 2. * w.value(); }, b);
  static_assert(std::is_same_v<std::remove_const_t<decltype(doubled)>, layer<rc::batched<rc::values, 2>>>);
  CHECK(numbers(doubled.b) == numbers{2, 2, 2, 2, 2, 2});
}
