// Jacobians and hessians: both ways agree with each other, with the interpreter and with formulas.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr auto swirl = [](auto x) { return rc::stack(x(0) * x(1), rc::sin(x(2)), x(0) + x(2), x(1) * x(1) * x(2)); };
constexpr auto quartic = [](auto x) { return rc::sum(rc::square(x * x)) + x(0) * x(1); };
template <class Kind = rc::values>
struct line {
  rc::field<Kind, double, 3> slope;
  rc::field<Kind, double> start = 0.5;
};
template <class Kind = rc::values>
struct parameters {
  rc::field<Kind, double, 2, 3> w;
  rc::field<Kind, double, 2> b;
};
constexpr auto layer = [](auto const& p, auto const& v) { return rc::tanh(rc::matmul(p.w, v) + p.b); };
constexpr auto loss = [](auto const& p, auto const& v) { return rc::sum(rc::square(layer(p, v))); };
rc::tensor<double, 3> const x{2, -1, 0.5};
rc::ndarray<double, 1> const dynamic{2, -1, 0.5};
numbers const of_swirl{-1, 2, 0, 0, 0, std::cos(0.5), 1, 0, 1, 0, -1, 1};

}  // namespace

TEST_CASE("a vector of a vector, both ways") {
  static_assert(std::is_same_v<decltype(rc::jacfwd(swirl)(x)), rc::tensor<double, 4, 3>>);
  static_assert(std::is_same_v<decltype(rc::jacrev(swirl)(x)), rc::tensor<double, 4, 3>>);
  CHECK(numbers(rc::jacfwd(swirl)(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacrev(swirl)(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacfwd(swirl)(dynamic)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacrev(swirl)(dynamic)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::interpret(rc::jacfwd(swirl))(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::interpret(rc::jacrev(swirl))(x)).near(of_swirl, 1e-14));
}

TEST_CASE("matrices by matrices, another argument, numbers") {
  auto const product = [](auto a, auto b) { return rc::matmul(a, b); };
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 3, 2> const b{{1, -1}, {2, 0.5}, {0, 3}};
  auto const forward = rc::jacfwd<1>(product)(a, b);
  static_assert(std::is_same_v<decltype(forward), rc::tensor<double, 2, 2, 3, 2> const>);
  CHECK(numbers(forward) == numbers(rc::jacrev<1>(product)(a, b)));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 2; ++l) CHECK(forward(i, j, k, l) == (j == l ? a(i, k) : 0.));
  // of one number, and by one
  CHECK(numbers(rc::jacrev(quartic)(x)).near(numbers(rc::grad(quartic)(x)), 1e-14));
  CHECK(numbers(rc::jacfwd(quartic)(x)).near(numbers(rc::grad(quartic)(x)), 1e-14));
  auto const scaled = [](auto t, auto y) { return rc::exp(t) * y; };
  CHECK(numbers(rc::jacfwd(scaled)(rc::tensor<double>(0.), x)).near(numbers(x), 1e-14));
}

TEST_CASE("the cheaper way is chosen by the types") {
  CHECK(numbers(rc::jacobian(swirl)(x)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::jacobian(swirl)(dynamic)).near(of_swirl, 1e-14));
  CHECK(numbers(rc::interpret(rc::jacobian(swirl))(x)).near(of_swirl, 1e-14));
  auto const wide = [](auto a, auto w) { return rc::matmul(w, rc::exp(a)); };
  rc::tensor<double, 40> const a{};
  rc::tensor<double, 2, 40> const w = 1.;
  auto const cost = [](auto const& f, auto const&... s) { return rc::count(f, s...).operations; };
  CHECK(cost(rc::jacobian(wide), a, w) == cost(rc::jacrev(wide), a, w));
  CHECK(cost(rc::jacobian(wide), a, w) < cost(rc::jacfwd(wide), a, w));
  auto const tall = [](auto y) { return rc::stack(rc::sin(y), rc::cos(y), y * y); };
  CHECK(cost(rc::jacobian(tall), x) == cost(rc::jacfwd(tall), x));
  CHECK(cost(rc::jacobian(tall), x) < cost(rc::jacrev(tall), x));
  CHECK(numbers(rc::jacobian<1>(wide)(a, w)).near(numbers(rc::jacrev<1>(wide)(a, w)), 1e-15));
  auto const both = rc::jacobian<0, 1>([](auto u, auto v) { return rc::sum(u * v); })(x, x);
  CHECK(numbers(std::get<0>(both)) == numbers(x));
  CHECK(numbers(std::get<1>(both)) == numbers(x));
}

TEST_CASE("of a part of an argument or of a value") {
  rc::tensor<double, 3> const at{1, 2, 3};
  auto const part = [](auto a) { return a(rc::range<1, 3>()); };
  CHECK(numbers(rc::jacfwd(part)(at)) == numbers{0, 1, 0, 0, 0, 1});
  CHECK(numbers(rc::jacrev(part)(at)) == numbers{0, 1, 0, 0, 0, 1});
  CHECK(numbers(rc::jacfwd([](auto a) { return (a * a)(0); })(at)) == numbers{2, 0, 0});
}

TEST_CASE("hessians, and their products with vectors") {
  numbers const expected{12 * 4., 1, 0, 1, 12, 0, 0, 0, 3};
  static_assert(std::is_same_v<decltype(rc::hessian(quartic)(x)), rc::tensor<double, 3, 3>>);
  CHECK(numbers(rc::hessian(quartic)(x)).near(expected, 1e-14));
  CHECK(numbers(rc::hessian(quartic)(dynamic)).near(expected, 1e-14));
  CHECK(numbers(rc::jacrev(rc::grad(quartic))(x)).near(expected, 1e-14));
  rc::tensor<double, 3> const v{1, 10, 100};
  CHECK(numbers(rc::hvp(quartic)(x, v)).near(numbers{58, 121, 300}, 1e-13));
  CHECK(numbers(rc::interpret(rc::hvp(quartic))(x, v)).near(numbers{58, 121, 300}, 1e-13));
  // inside other transforms
  auto const trace = [](auto y) { return rc::sum(rc::hessian(quartic)(y) * rc::eye<double>(rc::extents<3, 3>{})); };
  CHECK(numbers(rc::grad(trace)(x)).near(numbers{48, -24, 12}, 1e-12));
  rc::tensor<double, 2, 3> const rows{{2, -1, 0.5}, {1, 1, 1}};
  auto const each = rc::vmap(rc::hessian(quartic))(rows);
  static_assert(std::is_same_v<decltype(each), rc::tensor<double, 2, 3, 3> const>);
  CHECK(numbers(rc::eval(each(0))).near(expected, 1e-14));
}

TEST_CASE("the function itself is computed once") {
  auto const f = [](auto y) { return rc::exp(y); };
  auto const c = rc::count(rc::jacfwd(f), rc::tensor<double, 20>{});
  CHECK(c.operations < 20 * 20 * 2 + 100);  // an exp for each element, and a product with the basis
}

TEST_CASE("by several arguments: a tuple in the place of each tensor") {
  auto const f = [](auto a, auto b, auto n) { return rc::exp(a) * b * n; };
  rc::tensor<double, 2> const a{0, 1}, b{2, 3};
  double const e = std::exp(1.);
  auto const check = [&](auto const& j) {
    CHECK(numbers(std::get<0>(j)).near(numbers{6, 0, 0, 9 * e}, 1e-14));
    CHECK(numbers(std::get<1>(j)).near(numbers{3, 0, 0, 3 * e}, 1e-14));
  };
  static_assert(std::is_same_v<decltype(rc::jacfwd<0, 1>(f)(a, b, 3)),
                               std::tuple<rc::tensor<double, 2, 2>, rc::tensor<double, 2, 2>>>);
  check(rc::jacfwd<0, 1>(f)(a, b, 3));
  check(rc::jacrev<0, 1>(f)(a, b, 3));
  rc::ndarray<double, 1> const da = a, db = b;
  check(rc::jacfwd<0, 1>(f)(da, db, 3));
  check(rc::jacrev<0, 1>(f)(da, db, 3));
  check(rc::interpret(rc::jacfwd<0, 1>(f))(a, b, 3));
  check(rc::interpret(rc::jacrev<0, 1>(f))(a, b, 3));
  // second derivatives: a tuple of tuples
  auto const sum = [](auto u, auto v) { return rc::sum(u * u * v); };
  auto const [first, second] = rc::hessian<0, 1>(sum)(a, b);
  CHECK(numbers(std::get<0>(first)) == numbers{4, 0, 0, 6});
  CHECK(numbers(std::get<1>(first)) == numbers{0, 0, 0, 2});
  CHECK(numbers(std::get<0>(second)) == numbers{0, 0, 0, 2});
  CHECK(numbers(std::get<1>(second)) == numbers{0, 0, 0, 0});
}

TEST_CASE("of tuples, pairs, numbers and records") {
  auto const f = [](auto v) { return std::tuple(v * v, std::pair(rc::sum(v), 1.5)); };
  rc::tensor<double, 2> const v{3, 4};
  auto const check = [&](auto const& j) {
    CHECK(numbers(std::get<0>(j)) == numbers{6, 0, 0, 8});
    CHECK(numbers(std::get<1>(j).first) == numbers{1, 1});
    CHECK(numbers(std::get<1>(j).second) == numbers{0, 0});
  };
  check(rc::jacfwd(f)(v));
  check(rc::jacrev(f)(v));
  check(rc::interpret(rc::jacfwd(f))(v));
  check(rc::interpret(rc::jacrev(f))(v));
  // of a vector by a record: a record
  parameters<> const p{{{1, 2, 3}, {-1, 0.5, 2}}, {0.25, -0.25}};
  auto const forward = rc::jacfwd(layer)(p, x), reverse = rc::jacrev(layer)(p, x);
  CHECK(shape_of(forward.w) == numbers{2, 2, 3});
  CHECK(shape_of(forward.b) == numbers{2, 2});
  CHECK(numbers(forward.w).near(numbers(reverse.w), 1e-14));
  CHECK(numbers(forward.b).near(numbers(reverse.b), 1e-14));
  rc::tensor<double, 2> const y = layer(p, x);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) {
      double const slope = i == k ? 1 - y(i) * y(i) : 0;
      CHECK(forward.b(i, k) == doctest::Approx(slope));
      for (int l = 0; l < 3; ++l) CHECK(forward.w(i, k, l) == doctest::Approx(slope * x(l)));
    }
}

TEST_CASE("numbers by default do not hinder derivatives by a record, batches of it and of derivatives") {
  line<> p;
  p.slope = {1, 2, 3};
  auto const at = [](auto const& q, auto const& v) { return q.slope * v + q.start; };
  auto const check = [](auto const& j) {
    CHECK(numbers(j.slope) == numbers{2, 0, 0, 0, -1, 0, 0, 0, 0.5});
    CHECK(numbers(j.start) == numbers{1, 1, 1});
  };
  check(rc::jacfwd(at)(p, x));
  check(rc::jacrev(at)(p, x));
  check(rc::interpret(rc::jacfwd(at))(p, x));
  auto const sum = [at](auto const& q, auto const& v) { return rc::sum(at(q, v)); };
  rc::tensor<double, 2, 3> const rows{{1, 1, 1}, {0, 1, 0}};
  auto const each = rc::vmap(rc::grad(sum), rc::in_axes<rc::unbatched, 0>)(p, rows);
  CHECK(numbers(each.slope) == numbers(rows));
  CHECK(numbers(each.start) == numbers{3, 3});
  line<rc::batched<rc::values, 2>> several;
  CHECK(numbers(several.start) == numbers{0.5, 0.5});
  several.slope = rows;
  CHECK(numbers(rc::vmap(sum)(several, rows)) == numbers{4.5, 2.5});
}

TEST_CASE("nor hessians by it, and batches of a number of elements that shows when it runs") {
  line<> p;
  p.slope = {1, 2, 3};
  rc::tensor<double, 3> const v{1, 1, 2};
  auto const f = [](auto const& q, auto const& u) {
    return rc::sum(rc::square(q.slope * u * q.start)) + q.start * q.start * q.start;
  };
  auto const check = [](auto const& h) {
    CHECK(numbers(h.slope.slope) == numbers{0.5, 0, 0, 0, 0.5, 0, 0, 0, 2});
    CHECK(numbers(h.slope.start) == numbers{2, 4, 24});
    CHECK(numbers(h.start.slope) == numbers{2, 4, 24});
    CHECK(numbers(h.start.start) == numbers{85});
  };
  check(rc::hessian(f)(p, v));
  check(rc::interpret(rc::hessian(f))(p, v));
  rc::ndarray<double, 2> const rows{{1, 1, 1}, {0, 1, 0}};
  auto const each = rc::vmap(rc::grad(f), rc::in_axes<rc::unbatched, 0>)(p, rows);
  CHECK(numbers(each.start) == numbers{14.75, 4.75});
  CHECK(numbers(rc::vmap(rc::hessian(f), rc::in_axes<rc::unbatched, 0>)(p, rows).start.start) == numbers{31, 11});
}

TEST_CASE("the hessian by a record is a record of records") {
  parameters<> p{{{0.1, 0.2, 0.3}, {-0.1, 0.05, 0.2}}, {0.25, -0.25}};
  auto const h = rc::hessian(loss)(p, x);
  CHECK(shape_of(h.w.b) == numbers{2, 3, 2});
  CHECK(shape_of(h.w.w) == numbers{2, 3, 2, 3});
  CHECK(shape_of(h.b.w) == numbers{2, 2, 3});
  auto const interpreted = rc::interpret(rc::hessian(loss))(p, x);
  CHECK(numbers(interpreted.w.w).near(numbers(h.w.w), 1e-13));
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 3; ++l) CHECK(h.b.w(i, k, l) == doctest::Approx(h.w.b(k, l, i)));
  // by differences of gradients, and as a product with a vector
  double const small = 1e-6;
  auto const gradient = rc::grad(loss)(p, x);
  parameters<> v = rc::zeros_like(p);
  v.w(1, 2) = 1;
  p.w(1, 2) += small;
  auto const moved = rc::grad(loss)(p, x);
  p.w(1, 2) -= small;
  auto const product = rc::hvp(loss)(p, x, v);
  for (int i = 0; i < 2; ++i) {
    CHECK(h.b.w(i, 1, 2) == doctest::Approx((moved.b(i) - gradient.b(i)) / small).epsilon(1e-4));
    CHECK(product.b(i) == doctest::Approx(h.b.w(i, 1, 2)));
    for (int k = 0; k < 3; ++k) CHECK(product.w(i, k) == doctest::Approx(h.w.w(i, k, 1, 2)));
  }
  // for a batch of inputs
  rc::tensor<double, 2, 3> const rows{{2, -1, 0.5}, {1, 1, 1}};
  auto const each = rc::vmap(rc::hessian(loss), rc::in_axes<rc::unbatched, 0>)(p, rows);
  CHECK(shape_of(each.w.b) == numbers{2, 2, 3, 2});
  CHECK(numbers(rc::eval(each.w.b(0))).near(numbers(h.w.b), 1e-13));
}
