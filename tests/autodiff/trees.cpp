// Arguments and results that are trees of tensors: records of fields, plain aggregates, tuples, pairs and arrays,
// nested; numbers and integers among them.
#include <doctest/doctest.h>

#include <array>
#include <tuple>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class Kind = rc::values>
struct layer {
  rc::field<Kind, double, 2, 2> w;
  rc::field<Kind, double, 2> b;
};
template <class Kind = rc::values>
struct net {
  layer<Kind> in;
  std::array<layer<Kind>, 2> hidden;
  rc::field<Kind, double> scale;
};
struct plain {
  rc::tensor<double, 2, 2> w;
  rc::tensor<double, 2> b;
};
struct with_number {
  rc::tensor<double, 2> w;
  double rate = 0.5;
};
struct nested {
  plain first;
  rc::ndarray<double, 1> last;
};

layer<> some_layer(double from) { return {{{from, from + 1}, {from + 2, from + 3}}, {from + 4, from + 5}}; }
constexpr auto apply = [](auto const& l, auto h) { return rc::matmul(h, l.w) + l.b; };
template <class Kind = rc::values>
struct hyper {
  rc::field<Kind, double> rate = 0.5;
  rc::field<Kind, int> steps = 3;
  rc::field<Kind, double, 2> start;
};
struct squares {
  constexpr auto operator()(auto const& v) const { return v * v; }
};
constexpr auto adam = [](auto const& p, auto const& m, auto const& v, auto const& g, auto const& t) {
  auto const m1 = rc::tree_map([](auto const& a, auto const& b) { return 0.9 * a + 0.1 * b; }, m, g);
  auto const v1 = rc::tree_map([](auto const& a, auto const& b) { return 0.99 * a + 0.01 * b * b; }, v, g);
  auto const next = rc::tree_map(
      [&](auto const& a, auto const& b, auto const& c) {
        return a - 0.5 * (b / (1. - rc::pow(0.9, t))) / (rc::sqrt(c / (1. - rc::pow(0.99, t))) + 1e-8);
      },
      p, m1, v1);
  return std::tuple(next, m1, v1);
};
rc::tensor<double, 2> const x{1, -1};

static_assert(rc::tree::count_leaves<net<>>() == 7 && rc::tree::count_leaves<nested>() == 3);
static_assert(rc::tree::count_leaves<std::tuple<std::tuple<double, int>, std::array<plain, 3>>>() == 8);
static_assert(std::is_same_v<rc::tree::symbolic_t<rc::ir::traced, net<>>, net<rc::symbols<rc::ir::traced>>>);
static_assert(std::is_same_v<rc::tree::owned_t<net<rc::symbols<rc::ir::traced>>>, net<>>);

}  // namespace

TEST_CASE("records of fields: the gradient is a record of the same kind") {
  auto const loss = [](auto p, auto v) { return rc::sum(rc::square(apply(p, v))); };
  auto const p = some_layer(0);  // h = x w + b = (0 - 2 + 4, 1 - 3 + 5)
  auto const g = rc::grad(loss)(p, x);
  static_assert(std::is_same_v<std::remove_const_t<decltype(g)>, layer<>>);
  CHECK(numbers(g.w) == numbers{4, 6, -4, -6});
  CHECK(numbers(g.b) == numbers{4, 6});
  auto const [v, again] = rc::value_and_grad(loss)(p, x);
  CHECK(double(v) == 13);
  CHECK(numbers(again.w) == numbers(g.w));
  auto const [both, gx] = rc::grad<0, 1>(loss)(p, x);
  CHECK(numbers(both.b) == numbers(g.b));
  CHECK(numbers(gx) == numbers{6, 26});
  auto const interpreted = rc::interpret(rc::grad(loss))(p, x);
  CHECK(numbers(interpreted.w) == numbers(g.w));
}

TEST_CASE("records in records, and arrays of records") {
  net<> const p{some_layer(0), {some_layer(1), some_layer(-2)}, 0.5};
  auto const run = [](auto const& q, auto h) {
    h = apply(q.in, h);
    for (auto const& l : q.hidden) h = apply(l, h);
    return q.scale * rc::sum(h);
  };
  // h: (2, 3) -> (2 + 9 + 5, 4 + 12 + 6) = (16, 22) -> (-32 + 0 + 2, -16 + 22 + 3) = (-30, 9)
  CHECK(double(rc::fn(run)(p, x)) == -10.5);
  net<> const g = rc::grad(run)(p, x);
  CHECK(g.scale.item() == -21);
  CHECK(numbers(g.hidden[1].w) == numbers{8, 8, 11, 11});
  CHECK(numbers(g.hidden[1].b) == numbers{0.5, 0.5});
  CHECK(numbers(g.hidden[0].b) == numbers{-1.5, 0.5});
  CHECK(numbers(g.hidden[0].w) == numbers{-3, 1, -4.5, 1.5});
  CHECK(numbers(g.in.b) == numbers{-0.5, -2.5});
  CHECK(numbers(g.in.w) == numbers{-0.5, -2.5, 0.5, 2.5});
}

TEST_CASE("functions return records, and update them") {
  auto const step = [](auto p, auto g, auto rate) {
    p.w = p.w - rate * g.w;
    p.b = p.b - rate * g.b;
    return p;
  };
  layer<> const next = rc::fn(step)(some_layer(0), some_layer(1), 2.);
  CHECK(numbers(next.w) == numbers{-2, -3, -4, -5});
  CHECK(numbers(next.b) == numbers{-6, -7});
  auto const mapped = [](auto p, auto const& g) {
    rc::tree_map([](auto& to, auto const& from) { to = to * 2. - from; }, p, g);
    return p;
  };
  layer<> const other = rc::fn(mapped)(some_layer(0), some_layer(1));
  CHECK(numbers(other.b) == numbers{3, 4});
}

TEST_CASE("an optimiser over records: tree_map gives trees, directly, traced, into what exists, interpreted") {
  net<> const p{some_layer(0), {some_layer(1), some_layer(2)}, 0.5}, zero = rc::zeros_like(p);
  net<> g = p;
  rc::tree_map([](auto& w) { w = 3. - w; }, g);
  static_assert(std::is_same_v<decltype(adam(p, zero, zero, g, 1.)), std::tuple<net<>, net<>, net<>>>);
  static_assert(std::is_same_v<decltype(rc::fn(adam)(p, zero, zero, g, 1.)), std::tuple<net<>, net<>, net<>>>);
  auto const check = [&](auto const& step) {
    auto const& [next, m, v] = step;
    // the first step of Adam has the size of the rate wherever the gradient is not 0
    CHECK(numbers(next.in.w).near(numbers{-0.5, 0.5, 1.5, 3}, 1e-6));
    CHECK(numbers(next.hidden[1].b).near(numbers{6.5, 7.5}, 1e-6));
    CHECK(next.scale.item() == doctest::Approx(0));
    CHECK(numbers(m.in.b).near(numbers{-0.1, -0.2}));
    CHECK(numbers(v.in.b).near(numbers{0.01, 0.04}));
  };
  check(adam(p, zero, zero, g, 1.));
  check(rc::fn(adam)(p, zero, zero, g, 1.));
  check(rc::interpret(adam)(p, zero, zero, g, 1.));
  net<> q = p, m = zero, v = zero;
  rc::fn(adam).into(q, m, v)(q, m, v, g, 1.);
  check(std::tuple(q, m, v));
}

TEST_CASE("tree_map: other results than the leaves, numbers, tuples and aggregates") {
  auto const p = some_layer(1);
  auto const [rows, all] = rc::tree_map([](auto const& w) { return rc::sum(w, rc::axis<-1>); }, p);
  CHECK(numbers(rows) == numbers{3, 7});
  CHECK(all.item() == 11);
  auto const sizes = rc::tree_map([](auto const& w) { return int(w.size()); }, p);
  CHECK(sizes == std::tuple(4, 2));
  plain const a{{{1, 2}, {3, 4}}, {5, 6}};
  plain const twice = rc::tree_map([](auto const& w) { return w + w; }, a);
  CHECK(numbers(twice.b) == numbers{10, 12});
  std::tuple<double, std::array<rc::tensor<double, 2>, 2>> const mixed{2., {x, x}};
  auto const [number, pair] = rc::tree_map([](auto const& w, auto const& u) { return w * u; }, mixed, mixed);
  static_assert(std::is_same_v<decltype(number), double const>);
  CHECK(number == 4);
  CHECK(numbers(pair[1]) == numbers{1, 1});
}

TEST_CASE("tree_vdot: the sum of all products, directly, traced, derived, of numbers and complex ones") {
  net<> const p{some_layer(0), {some_layer(1), some_layer(2)}, 0.5};
  auto const f = [](auto u, auto v) { return rc::tree_vdot(u, v); };
  auto const all = [&](auto const& u) {
    double sum = 0;
    rc::tree_map(
        [&](auto const& w) {
          for (double x : numbers(w).values) sum += x * x;
        },
        u);
    return sum;
  };
  CHECK(rc::tree_vdot(p, p).item() == doctest::Approx(all(p)));
  CHECK(rc::fn(f)(p, p).item() == doctest::Approx(all(p)));
  CHECK(rc::interpret(f)(p, p).item() == doctest::Approx(all(p)));
  net<> const g = rc::grad(f)(p, p);
  CHECK(numbers(g.hidden[0].w) == numbers(p.hidden[0].w));
  CHECK(rc::tree_vdot(std::pair(2., 3), std::pair(4., 5)) == 23);
  using complex = std::complex<double>;
  CHECK(rc::tree_vdot(std::tuple(complex(0, 1), x), std::tuple(complex(0, 1), x)).item() == complex(3));
}

TEST_CASE("fields have numbers by default, as tensors and as symbols; arguments without members keep their type") {
  hyper<> h;
  h.start = {1, 2};
  auto const f = [](auto q, auto v, auto op) { return rc::eval(op(v) * q.rate + q.start * q.steps); };
  rc::tensor<double, 2> const v{2, 4};
  CHECK(numbers(rc::fn(f)(h, v, squares{})) == numbers{5, 14});
  CHECK(numbers(rc::interpret(f)(h, v, squares{})) == numbers{5, 14});
  CHECK(numbers(f(h, v, squares{})) == numbers{5, 14});
  CHECK(numbers(rc::fn(f)(h, v, [](auto w) { return w + w; })) == numbers{5, 10});
  CHECK(numbers(rc::vjp(f)(h, v, squares{}).first) == numbers{5, 14});
  // a record that the function makes: its numbers are literals, and what it returns has them
  auto const make = [](auto w) {
    hyper<rc::symbols<typename decltype(w)::mode>> q;
    q.start = w * q.rate;
    q.steps = 4;
    return q;
  };
  auto const check = [](auto const& q) {
    CHECK(q.rate.item() == 0.5);
    CHECK(q.steps.item() == 4);
    CHECK(numbers(q.start) == numbers{1, 2});
  };
  check(rc::fn(make)(v));
  check(rc::interpret(make)(v));
  auto const [value, tangent] = rc::jvp(make)(v)(v);
  check(value);
  CHECK(tangent.rate.item() == 0);
  CHECK(numbers(tangent.start) == numbers{1, 2});
  auto const sum = [make](auto w) {
    auto const q = make(w);
    return rc::sum(q.start) * q.rate + q.steps;
  };
  CHECK(double(rc::fn(sum)(v)) == 5.5);
  CHECK(numbers(rc::grad(sum)(v)) == numbers{0.25, 0.25});
}

TEST_CASE("plain aggregates, taken apart by structured bindings") {
  auto const f = [](auto p, auto v) {
    auto [first, last] = p;
    auto [w, b] = first;
    return rc::sum(rc::matmul(v, w) * b) + rc::sum(last * last);
  };
  nested const p{{{{1, 2}, {3, 4}}, {5, 6}}, {1, 2, 3}};
  nested const g = rc::grad(f)(p, x);
  CHECK(numbers(g.first.w) == numbers{5, 6, -5, -6});
  CHECK(numbers(g.first.b) == numbers{-2, -2});
  CHECK(numbers(g.last) == numbers{2, 4, 6});
}

TEST_CASE("a plain aggregate comes out as itself, a pair goes in as one") {
  auto const step = [](auto p, auto rate) {
    auto& [w, b] = p;
    w = w * rate;
    b += 1.;
    return std::pair(p, rate);
  };
  plain const p{{{1, 2}, {3, 4}}, {5, 6}};
  auto const [next, rate] = rc::fn(step)(p, 2.);
  static_assert(std::is_same_v<decltype(next), plain const>);
  CHECK(numbers(next.w) == numbers{2, 4, 6, 8});
  CHECK(numbers(next.b) == numbers{6, 7});
  CHECK(rate.item() == 2);
  CHECK(numbers(rc::interpret(step)(p, 2.).first.b) == numbers{6, 7});
  auto const loss = [](auto q) { return rc::sum(q.first * q.first) * q.second; };
  auto const [gx, gs] = rc::grad(loss)(std::pair(x, 3.));
  CHECK(numbers(gx) == numbers{6, -6});
  CHECK(gs.item() == 2);
}

TEST_CASE("numbers in a plain aggregate: it and its gradient come out as itself, with numbers") {
  auto const step = [](auto p, auto v) {
    auto& [w, rate] = p;
    w = w * rate + v;
    rate = 2. * rate;
    return p;
  };
  auto const loss = [](auto p, auto v) {
    auto [w, rate] = p;
    return rc::sum(w * v) * rate;
  };
  with_number const p{{1, 2}};
  auto const check = [](with_number const& q, numbers const& w, double rate) {
    CHECK(numbers(q.w) == w);
    CHECK(q.rate == rate);
  };
  check(rc::fn(step)(p, x), {1.5, 0}, 1);
  check(rc::interpret(step)(p, x), {1.5, 0}, 1);
  check(rc::grad(loss)(p, x), {0.5, -0.5}, -1);
  check(rc::interpret(rc::grad(loss))(p, x), {0.5, -0.5}, -1);
  check(std::get<0>(rc::vjp(loss)(p, x).second(2.)), {1, -1}, -2);
  with_number q = p;
  rc::fn(step).into(q)(q, x);
  check(q, {1.5, 0}, 1);
}

TEST_CASE("tuples, pairs and arrays, of one member too") {
  rc::tensor<double, 2> const y{3, 4};
  auto const f = [](auto p) {
    auto [a, bc] = p;
    auto [b, c] = bc;
    return rc::sum(a * b) * c;
  };
  auto const g = rc::grad(f)(std::tuple(x, std::pair(y, 2.)));
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(g)>,
                     std::tuple<rc::tensor<double, 2>, std::pair<rc::tensor<double, 2>, rc::tensor<double>>>>);
  CHECK(numbers(std::get<0>(g)) == numbers{6, 8});
  CHECK(std::get<1>(g).second.item() == -1);
  auto const one = [](auto p) { return rc::sum(std::get<0>(p) * 3.); };
  auto const single = rc::grad(one)(std::tuple<rc::tensor<double, 2>>(x));
  CHECK(numbers(std::get<0>(single)) == numbers{3, 3});
  auto const grid = [](auto const& p) {
    auto s = rc::sum(p[0][0] * p[1][1]);
    for (auto const& row : p)
      for (auto const& v : row) s = s + rc::sum(v);
    return s;
  };
  std::array<std::array<rc::tensor<double, 2>, 2>, 2> const square{{{x, y}, {y, x}}};
  auto const gs = rc::grad(grid)(square);
  CHECK(numbers(gs[0][0]) == numbers{2, 0});
  CHECK(numbers(gs[0][1]) == numbers{1, 1});
  CHECK(double(rc::fn(grid)(square)) == 2 + 14);
}

TEST_CASE("results of any structure, with constants among them") {
  auto const f = [](auto v) {
    return std::tuple(v * 2., std::array{rc::sum(v), rc::mean(v)}, std::pair(1.5, v > 0.), v);
  };
  auto const [twice, stats, odd, same] = rc::fn(f)(x);
  CHECK(numbers(twice) == numbers{2, -2});
  CHECK(stats[0].item() == 0);
  CHECK(odd.first.item() == 1.5);
  CHECK(numbers(odd.second) == numbers{1, 0});
  CHECK(numbers(same) == numbers(x));
  auto const [values, tangents] = rc::jvp(f)(x)(rc::tensor<double, 2>{1, 3});
  CHECK(numbers(std::get<0>(tangents)) == numbers{2, 6});
  CHECK(std::get<1>(tangents)[1].item() == 2);
  CHECK(std::get<2>(tangents).first.item() == 0);
  CHECK(numbers(std::get<3>(values)) == numbers(x));
}

TEST_CASE("jvp and vjp along records") {
  auto const f = [](auto p, auto v) { return apply(p, v); };
  auto const p = some_layer(0), t = some_layer(1);
  auto const [y, ty] = rc::jvp(f)(p, x)(t, rc::zeros_like(x));
  CHECK(numbers(y) == numbers{2, 3});
  CHECK(numbers(ty) == numbers{1 - 3 + 5, 2 - 4 + 6});
  auto const [value, pull] = rc::vjp(f)(p, x);
  auto const [cp, cx] = pull(rc::tensor<double, 2>{1, 10});
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(cp)>, layer<>>);
  CHECK(numbers(cp.w) == numbers{1, 10, -1, -10});
  CHECK(numbers(cp.b) == numbers{1, 10});
  CHECK(numbers(cx) == numbers{10, 32});
  // and where the result is a record: one cotangent for every tensor of it
  auto const doubled = [](auto q) {
    q.w = 2. * q.w;
    return q;
  };
  auto const [record, back] = rc::vjp(doubled)(p);
  auto const [c] = back(t);
  CHECK(numbers(record.w) == numbers{0, 2, 4, 6});
  CHECK(numbers(c.w) == numbers{2, 4, 6, 8});
  CHECK(numbers(c.b) == numbers{5, 6});
}

TEST_CASE("numbers and integers are arguments") {
  auto const f = [](auto v, auto rate, auto n) { return rate * rc::sum(v) * n; };
  rc::tensor<double, 2> const y{3, 4};
  CHECK(double(rc::fn(f)(y, 0.5, 3)) == 10.5);
  CHECK(double(rc::grad<1>(f)(y, 0.5, 3)) == 21);
  CHECK(numbers(rc::grad(f)(y, 0.5f, 3)) == numbers{1.5, 1.5});
  auto const [v, t] = rc::jvp(f)(y, 0.5, 3)(rc::zeros_like(y), 1., 0);
  CHECK(double(t) == 21);
  // a number does not widen a tensor
  auto const scaled = [](auto v2, auto s) { return v2 * s; };
  auto const narrow = rc::fn(scaled)(rc::tensor<float, 2>{1, 2}, 2.5);
  static_assert(std::is_same_v<std::remove_const_t<decltype(narrow)>, rc::tensor<float, 2>>);
  CHECK(numbers(narrow) == numbers{2.5, 5});
  // integers have no derivative; those of the others pass
  auto const pick = [](auto table, auto rows) { return rc::take(table, rows, rc::axis<0>); };
  rc::tensor<int, 3> const rows{1, 1, 0};
  auto const [picked, pull] = rc::vjp(pick)(y, rows);
  CHECK(numbers(picked) == numbers{4, 4, 3});
  CHECK(numbers(std::get<0>(pull(rc::tensor<double, 3>{1, 2, 3}))) == numbers{3, 3});
}

TEST_CASE("tree_map and zeros_like outside") {
  net<> p{some_layer(0), {some_layer(1), some_layer(-2)}, 0.5};
  auto const g = p;
  rc::tree_map([](auto& w, auto const& d) { w -= 0.5 * d; }, p, g);
  CHECK(numbers(p.hidden[1].w) == numbers{-1, -0.5, 0, 0.5});
  CHECK(p.scale.item() == 0.25);
  net<> z = rc::zeros_like(p);
  double size = 0;
  rc::tree_map([&](auto const& w) { size += double(rc::sum(rc::abs(w))); }, z);
  CHECK(size == 0);
  int tensors = 0;
  rc::tree_map([&](auto&, auto const&, auto const&) { ++tensors; }, z, p, g);
  CHECK(tensors == 7);
  auto const zt = rc::zeros_like(std::tuple(rc::ndarray<double, 2>(3, 4), std::array{x, x}));
  CHECK(shape_of(std::get<0>(zt)) == numbers{3, 4});
  CHECK(numbers(std::get<1>(zt)[1]) == numbers{0, 0});
  auto const traced = rc::fn([](auto q) {
    auto moments = rc::zeros_like(q);
    rc::tree_map([](auto& m, auto const& w) { m = 0.9 * m + 0.1 * w; }, moments, q);
    return moments;
  });
  layer<> const m = traced(some_layer(0));
  CHECK(numbers(m.b).near({0.4, 0.5}));
}
