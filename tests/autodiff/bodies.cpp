// What bodies of loops hold: constants, indices, calls, views, other types; their costs, limits and errors.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

template <class F, class G, class... A>
void compare(F const& f, G const& g, A const&... a) {
  CHECK(numbers(rc::fn(f)(a...)).near(numbers(rc::fn(g)(a...)), 1e-12));
  CHECK(numbers(rc::grad(f)(a...)).near(numbers(rc::grad(g)(a...)), 1e-12));
  CHECK(numbers(rc::interpret(rc::grad(f))(a...)).near(numbers(rc::grad(g)(a...)), 1e-12));
  CHECK(numbers(rc::jacfwd(rc::grad(f))(a...)).near(numbers(rc::jacfwd(rc::grad(g))(a...)), 1e-12));
}
rc::tensor<double, 3> const x{.5, -1.25, 2};
rc::tensor<double, 4> const times{1, .5, -1, 2};

}  // namespace

TEST_CASE("constants, indices, calls and reductions in a body") {
  auto const table = [](auto h, auto) {
    rc::tensor<double, 3> const c{.5, -1, .25};
    return std::pair(h * c + c, rc::sum(h * c));
  };
  auto const looped = [table](auto h, auto n) {
    auto const [last, ys] = rc::scan(table, h, n);
    return rc::sum(last * last) + rc::sum(ys * ys);
  };
  auto const unrolled = [table](auto h, auto n) {
    auto s = rc::sum(n) * 0.;
    for (int t = 0; t < 4; ++t) {
      auto const [next, y] = table(h, n);
      s += y * y, h = next;
    }
    return rc::sum(h * h) + s;
  };
  compare(looped, unrolled, x, times);

  auto const body = [](auto h, auto t) {
    auto const sorted = rc::sort(h), sums = rc::cumulative_sum(h * t);
    auto const at = rc::argmax(h);
    return sorted * .5 + rc::flip(sums) + rc::take(h, at) * rc::max(h);
  };
  auto const calls = [body](auto h, auto n) {
    return rc::sum(std::get<0>(rc::scan([body](auto c, auto t) { return std::pair(body(c, t), 0.); }, h, n)));
  };
  auto const calls_unrolled = [body](auto h, auto n) {
    for (int t = 0; t < 4; ++t) h = body(h, n(t));
    return rc::sum(h);
  };
  compare(calls, calls_unrolled, x, times);
}

TEST_CASE("what an iteration names of an array, by the element's place and by an index") {
  auto const f = [](auto h, auto n) {  // n is read as a whole, too
    return rc::sum(std::get<0>(rc::scan([n](auto c, auto t) { return std::pair(c * t + rc::sum(n * n), t); }, h, n)));
  };
  auto const g = [](auto h, auto n) {
    for (int t = 0; t < 4; ++t) h = h * n(t) + rc::sum(n * n);
    return rc::sum(h);
  };
  compare(f, g, x, times);
  auto const by_n = [](auto fn) { return [fn](auto n, auto h) { return fn(h, n); }; };
  compare(by_n(f), by_n(g), times, x);
}

TEST_CASE("an error in a body leaves what is there") {
  auto const gathers = [](auto h, auto rows) {
    return std::get<0>(rc::scan([h](auto c, auto i) { return std::pair(c + rc::take(h, i), 0.); }, h * 0., rows));
  };
  rc::ndarray<double, 1> y{7, 8, 9};
  rc::tensor<int, 2, 3> rows{{0, 1, 2}, {2, 1, 0}};
  CHECK(raised([&] { y = rc::fn(gathers)(x, rows); }) == "");
  CHECK(numbers(y) == numbers{2.5, -2.5, 2.5});
  rows(1, 2) = 3;
  CHECK(raised([&] { y = rc::fn(gathers)(x, rows); }).rfind("index_error: take: index 3", 0) == 0);
  CHECK(raised([&] { rc::fn(gathers).into(y)(x, rows); }).rfind("index_error: take: index 3", 0) == 0);
  auto run = rc::prepared(rc::fn(gathers));
  CHECK(raised([&] { y = run(x, rows); }).rfind("index_error: take: index 3", 0) == 0);
  CHECK(numbers(y) == numbers{2.5, -2.5, 2.5});
}

TEST_CASE("derivatives of all orders take a time that grows with the number of iterations") {
  auto const f = [](auto h, auto n) {
    auto const [last, ys] = rc::scan([](auto c, auto t) { return std::pair(rc::sin(c) * t, rc::sum(c)); }, h, n);
    return rc::sum(last) + rc::sum(ys * ys);
  };
  auto const second = [f](auto h, auto n) {
    auto const [gh, gn] = rc::grad<0, 1>(f)(h, n);
    return rc::sum(gh * gh) + rc::sum(gn * gn);
  };
  auto const costs = [&](auto const& g, rc::index_t n) {
    return double(rc::count(g, x, rc::ndarray<double, 1>(n)).bytes);
  };
  CHECK(costs(rc::grad<0, 1>(f), 2000) < 2.01 * costs(rc::grad<0, 1>(f), 1000));
  CHECK(costs(rc::grad<0, 1>(second), 2000) < 2.01 * costs(rc::grad<0, 1>(second), 1000));
  auto const [gh, gn] = rc::grad<0, 1>(second)(x, times);
  auto const [eh, en] = rc::interpret(rc::grad<0, 1>(second))(x, times);
  CHECK(numbers(gh).near(numbers(eh), 1e-11));
  CHECK(numbers(gn).near(numbers(en), 1e-11));
}

TEST_CASE("count and explain take a loop's steps as often as they run") {
  auto const looped = [](auto h, auto n) {
    return std::get<0>(rc::scan([](auto c, auto t) { return std::pair(rc::tanh(c) * t, 0.); }, h, n));
  };
  rc::ndarray<double, 1> const ten(10), none(0);
  rc::cost const c = rc::count(looped, x, ten), d = rc::count(looped, x, none);
  CHECK(c.operations == 10 * 3 * 2);
  CHECK(d.operations == 0);
  CHECK(c.kernels == d.kernels);
  CHECK((c.steps - d.steps) % 10 == 0);
  auto const in_a_loop = [looped](auto h, auto m) {
    return std::get<0>(rc::scan([looped](auto c2, auto row) { return std::pair(looped(c2, row), 0.); }, h, m));
  };
  CHECK(rc::count(in_a_loop, x, rc::ndarray<double, 2>(5, 10)).operations == 5 * c.operations);
  std::string const text = rc::explain(looped, x, ten).text;
  CHECK(text.find("slice from (i) by (1)") != text.npos);
  CHECK(text.find("loop of 10 iterations\n") != text.npos);
}
