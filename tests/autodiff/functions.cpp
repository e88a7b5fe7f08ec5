// What a traced function may do: loops, rebinding, functional updates, closures, arithmetic with its arguments'
// extents; and what its callers may: arguments of every kind, results into existing tensors, workspaces that are kept.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr rc::all_t all{};
constexpr auto square_sum = [](auto v) { return rc::sum(v * v); };
struct functor {
  constexpr auto operator()(auto v) const { return rc::sum(v * v); }
};

}  // namespace

// ---- inside ----

TEST_CASE("loops over layers, with values used again") {
  auto const deep = [](auto h, auto w) {
    for (int k = 0; k < 10; ++k) h = h + rc::tanh(rc::matmul(h, w));
    return rc::sum(h);
  };
  rc::tensor<double, 3, 3> const w{{0.1, -0.2, 0.3}, {0, 0.2, -0.1}, {0.4, 0, 0.1}};
  rc::tensor<double, 3> h{1, 2, -1};
  auto const [gh, gw] = rc::grad<0, 1>(deep)(h, w);
  auto const value = [&](auto const& a, auto const& b) { return double(rc::fn(deep)(a, b)); };
  for (int i = 0; i < 3; ++i) {
    auto up = h, down = h;
    up(i) += 1e-6, down(i) -= 1e-6;
    CHECK(gh(i) == doctest::Approx((value(up, w) - value(down, w)) / 2e-6).epsilon(1e-7));
    auto more = w, less = w;
    more(i, 1) += 1e-6, less(i, 1) -= 1e-6;
    CHECK(gw(i, 1) == doctest::Approx((value(h, more) - value(h, less)) / 2e-6).epsilon(1e-7));
  }
}

TEST_CASE("updates of parts give a new value and leave the old one") {
  auto const f = [](auto v) {
    auto const before = v;
    v(0) = 10. * v(1);
    v(rc::range(1, 3)) += v(0);
    v(-1) /= 2.;
    v(rc::range(2, 0, -1)) *= 3.;
    v(3) -= 1.;
    return std::pair(v, before);
  };
  rc::tensor<double, 4> const x{1, 2, 3, 4};
  auto const [after, before] = rc::fn(f)(x);
  CHECK(numbers(after) == numbers{20, 66, 69, 1});
  CHECK(numbers(before) == numbers{1, 2, 3, 4});
  auto const g = rc::grad([=](auto v) { return rc::sum(f(v).first); })(x);
  CHECK(numbers(g) == numbers{0, 10 + 3 * 11 + 3 * 10, 3, 0.5});
  rc::ndarray<double, 1> const dynamic = x;
  CHECK(numbers(rc::fn(f)(dynamic).first) == numbers(after));
  CHECK(numbers(rc::grad([=](auto v) { return rc::sum(f(v).first); })(dynamic)) == numbers(g));

  auto const matrix = [](auto m) {
    m(all, 0) = m(all, 1) * m(0);
    m(1) = 0.;
    return rc::sum(m * m);
  };
  rc::tensor<double, 2, 2> const m{{1, 2}, {3, 4}};
  // column 0 becomes (2 * 1, 4 * 2), row 1 becomes 0: 4 + 4
  CHECK(double(rc::fn(matrix)(m)) == 8);
  CHECK(numbers(rc::grad(matrix)(m)) == numbers{8, 8, 0, 0});
}

TEST_CASE("a loop that builds a vector element by element") {
  auto const powers = [](auto base) {
    auto v = rc::zeros_like(rc::broadcast_to(base, rc::extents<5>{}));
    v(0) = 1.;
    for (int k = 1; k < 5; ++k) v(k) = v(k - 1) * base;
    return v;
  };
  CHECK(numbers(rc::fn(powers)(2.)) == numbers{1, 2, 4, 8, 16});
  CHECK(numbers(rc::jvp(powers)(2.)(1.).second) == numbers{0, 1, 4, 12, 32});
}

TEST_CASE("closures over closures, constants that are static") {
  static constexpr double rate = 0.5;
  auto const one = [](auto v) { return rc::exp(v); };
  auto const two = [=](auto v) { return one(v) * v; };
  auto const three = [=](auto v) { return rc::sum(two(v) + one(v)) * rate; };
  rc::tensor<double, 2> const x{0, 1};
  CHECK(double(rc::fn(three)(x)) == doctest::Approx(0.5 * (1 + 2 * std::exp(1.))));
  CHECK(numbers(rc::grad(three)(x)).near({0.5 * 2, 0.5 * 3 * std::exp(1.)}));
  CHECK(numbers(rc::grad(functor{})(x)) == numbers{0, 2});
}

TEST_CASE("what may be traced is a concept") {
  using vector = rc::tensor<double, 2>;
  double scale = 2;
  auto const closure = [=](auto v) { return v * scale; };
  auto const of_tensors = [](vector const& v) { return v(0); };
  static_assert(rc::Traceable<decltype(square_sum)> && rc::Traceable<decltype(square_sum), vector>);
  static_assert(rc::Traceable<functor> && rc::Traceable<decltype(rc::grad(functor{})), vector>);
  static_assert(!rc::Traceable<decltype(closure)> && !rc::Traceable<decltype(of_tensors)>);
  static_assert(!rc::Traceable<decltype(square_sum), vector, vector> && !rc::Traceable<double (*)(double)>);
  CHECK(closure(1.) + of_tensors({1, 2}) == 3);
}

TEST_CASE("extents: numbers where they are known, else symbolic, with arithmetic") {
  auto const fold = [](auto v) {
    auto const n = v.shape(0), m = v.shape(1);
    auto const flat = rc::reshape(v, rc::shape(n * m));
    auto const pairs = rc::reshape(v, rc::shape(n * 2, m / 2));
    return std::tuple(rc::sum(flat) / n, rc::sum(pairs, rc::axis<0>), flat * m - 1. / n,
                      rc::sum(flat) * (n + 1) - (m - 1));
  };
  rc::tensor<double, 2, 4> const s{{1, 2, 3, 4}, {5, 6, 7, 8}};
  rc::ndarray<double, 2> const d = s;
  auto const [mean, columns, scaled, sum] = rc::fn(fold)(d);
  CHECK(mean.item() == 18);
  CHECK(numbers(columns) == numbers{16, 20});
  CHECK(scaled(1) == 7.5);
  CHECK(sum.item() == 36 * 3 - 3);
  auto const static_results = rc::fn(fold)(s);
  CHECK(std::get<0>(static_results).item() == 18);
  CHECK(numbers(std::get<1>(static_results)) == numbers(columns));
  CHECK(std::get<3>(static_results).item() == sum.item());
  auto const average = [](auto v) { return rc::sum(v * v) / v.shape(0); };
  CHECK(numbers(rc::grad(average)(d(all, 1))) == numbers{2, 6});
  auto const half = [](auto v) { return rc::sum(v(rc::range(0, v.shape(0) / 2)) * 2.); };
  CHECK(numbers(rc::grad(half)(d(0))) == numbers{2, 2, 0, 0});
}

TEST_CASE("tensors are made inside, of static and symbolic shapes") {
  auto const f = [](auto v) {
    auto const mask = rc::zeros<double>(rc::shape(v.shape(0), 1)) + 2.;
    return rc::sum(v * mask + rc::ones<double>(rc::extents<3>{}));
  };
  rc::ndarray<double, 2> const x = rc::ones<double>(rc::shape(4, 3));
  CHECK(double(rc::fn(f)(x)) == 36);
  CHECK(double(rc::sum(rc::grad(f)(x))) == 24);
}

TEST_CASE("sequences and identities of the arguments' extents and numbers") {
  auto const f = [](auto v, auto t) {
    auto const n = v.shape(0), m = v.shape(1);
    return std::tuple(rc::arange<int>(n), rc::arange<float>(1, n * 2, 2), rc::arange<double>(n, 0, -1),
                      rc::linspace<double>(t, 2, m), rc::linspace<double>(t, 3, 1), rc::eye<int>(n, m),
                      rc::sum(rc::eye<double>(n) * v(all, rc::newaxis, 0)),
                      rc::arange<double>(rc::extents<3>{}) + rc::linspace<double>(0, 1, rc::extents<3>{}));
  };
  rc::tensor<double, 3, 2> const s{{1, 2}, {3, 4}, {5, 6}};
  rc::ndarray<double, 2> const d = s;
  auto const check = [](auto const& results) {
    auto const& [whole, odd, down, even, one, unit, trace, fixed] = results;
    CHECK(numbers(whole) == numbers{0, 1, 2});
    static_assert(std::is_same_v<rc::value_type_of<decltype(whole)>, int>);
    CHECK(numbers(odd) == numbers{1, 3, 5});
    CHECK(numbers(down) == numbers{3, 2, 1});
    CHECK(numbers(even) == numbers{0.5, 2});
    CHECK(numbers(one) == numbers{0.5});
    CHECK(numbers(unit) == numbers{1, 0, 0, 1, 0, 0});
    CHECK(trace.item() == 9);
    CHECK(numbers(fixed) == numbers{0, 1.5, 3});
  };
  check(rc::fn(f)(s, 0.5));
  check(rc::fn(f)(d, 0.5));
  check(rc::interpret(f)(s, 0.5));
  check(rc::interpret(f)(d, 0.5));
  auto const weighted = [](auto v) { return rc::sum(v * rc::arange<double>(v.shape(0))); };
  CHECK(numbers(rc::grad(weighted)(d(all, 0))) == numbers{0, 1, 2});
  CHECK(numbers(rc::vmap(rc::grad(weighted))(d)) == numbers{0, 1, 0, 1, 0, 1});
}

TEST_CASE("what rc::eval makes of a part is no part any more: a table that it was read from stays as it is") {
  auto const f = [](auto table, auto rows) {
    auto h = rc::eval(table(rows));
    h = h + 1.;
    auto first = rc::eval(table(0));
    first = 3. * first;
    auto const before = rc::eval(table);
    table(rows) += 10.;  // this writes
    table(1) = h(1);
    return std::tuple(h, first, before, table, rc::tri<double>(table.shape(0), 2, 1));
  };
  rc::tensor<double, 3> const x{1, 2, 3};
  rc::tensor<int, 2> const rows{2, 0};
  auto const check = [](auto const& results) {
    auto const& [h, first, before, table, below] = results;
    CHECK(numbers(h) == numbers{4, 2});
    CHECK(first.item() == 3);
    CHECK(numbers(before) == numbers{1, 2, 3});
    CHECK(numbers(table) == numbers{11, 2, 13});
    CHECK(numbers(below) == numbers{1, 1, 1, 1, 1, 1});
  };
  check(rc::fn(f)(x, rows));
  check(rc::interpret(f)(rc::ndarray<double, 1>(x), rows));
  auto const lower = [](auto v) { return rc::sum(rc::tri<double>(v.shape(0), v.shape(0)) * v); };
  CHECK(numbers(rc::grad(lower)(rc::ndarray<double, 1>(x))) == numbers{3, 2, 1});
}

TEST_CASE("symbols are assigned like tensors: other kinds of extents, element types, numbers") {
  auto const f = [](auto v) {
    auto n = v.shape(0) * 2;
    n -= 1;
    auto rows = rc::zeros<int>(rc::shape(v.shape(0), n));  // of values, whatever v's are
    rows = rc::full<int>(rc::shape(v.shape(0), n), 7);
    rows = rows * 2 + 1;
    auto copy = v;
    copy = rc::ones<float>(rc::extents<2, 3>{});
    copy = copy + v;
    auto number = rc::sum(v);
    number = 5;
    copy(0) = 0.25;
    auto filled = copy;
    filled = number;
    return std::tuple(rows, copy, filled, rc::full<double>(rc::shape(v.size()), v(0, 0)));
  };
  rc::tensor<double, 2, 3> const s{{1, 2, 3}, {4, 5, 6}};
  rc::ndarray<double, 2> const d = s;
  auto const check = [](auto const& results) {
    auto const& [rows, copy, filled, more] = results;
    CHECK(numbers(rows) == numbers{15, 15, 15, 15, 15, 15});
    CHECK(shape_of(rows) == numbers{2, 3});
    static_assert(std::is_same_v<rc::value_type_of<decltype(rows)>, int>);
    CHECK(numbers(copy) == numbers{0.25, 0.25, 0.25, 5, 6, 7});
    CHECK(numbers(filled) == numbers{5, 5, 5, 5, 5, 5});
    CHECK(numbers(more) == numbers{1, 1, 1, 1, 1, 1});
  };
  check(rc::fn(f)(s));
  check(rc::fn(f)(d));
  check(rc::interpret(f)(s));
  // what the type names is checked
  auto const narrow = [](auto v, auto w) {
    v = w;
    return v;
  };
  CHECK(numbers(rc::fn(narrow)(s, d)) == numbers(s));
  CHECK(raised([&] { rc::fn(narrow)(s, rc::ndarray<double, 2>(2, 4)); }) == "shape_error: assignment: (2, 3) (2, 4)");
}

TEST_CASE("branches that choose element by element do not let NaN through") {
  auto const f = [](auto v) { return rc::sum(rc::where(v > 0., rc::sqrt(v) + rc::log(v), 0.)); };
  rc::tensor<double, 3> const x{4, 0, -1};
  CHECK(double(rc::fn(f)(x)) == doctest::Approx(2 + std::log(4.)));
  CHECK(numbers(rc::grad(f)(x)) == numbers{0.25 + 0.25, 0, 0});
}

// ---- outside ----

TEST_CASE("arguments: tensors, views, expressions, by their own extents") {
  rc::ndarray<double, 2> const m{{1, 2}, {3, 4}};
  CHECK(double(rc::fn(square_sum)(m)) == 30);
  CHECK(double(rc::fn(square_sum)(m(1))) == 25);
  CHECK(double(rc::fn(square_sum)(m(all, rc::range(1, 0, -1)))) == 20);
  CHECK(double(rc::fn(square_sum)(m.T() + m)) == 4 + 25 + 25 + 64);
  CHECK(numbers(rc::grad(square_sum)(m.T())) == numbers{2, 6, 4, 8});
  CHECK(numbers(rc::grad(square_sum)(m(all, 0))) == numbers{2, 6});
  rc::tensor<double, rc::dim<"n">, 2> const named = m;
  auto const g = rc::grad(square_sum)(named);
  static_assert(std::is_same_v<std::remove_const_t<decltype(g)>, rc::tensor<double, rc::dim<"n">, 2>>);
  CHECK(numbers(g) == numbers{2, 4, 6, 8});
  CHECK(rc::fn(square_sum)(rc::ndarray<double, 5>(1, 2, 3, 4, 5)).item() == 0);
}

TEST_CASE("results into tensors that exist, in place where that is possible") {
  rc::ndarray<double, 1> const x{1, 2, 3};
  rc::ndarray<double, 1> g(3);
  auto const* const memory = g.data();
  rc::grad(square_sum).into(g)(x);
  CHECK(numbers(g) == numbers{2, 4, 6});
  CHECK(g.data() == memory);
  rc::ndarray<double, 1> other(7);
  rc::grad(square_sum).into(other)(x);
  CHECK(numbers(other) == numbers{2, 4, 6});
  rc::tensor<double> value;
  rc::value_and_grad(square_sum).into(value, g)(rc::eval(x * 2.));
  CHECK(value.item() == 56);
  CHECK(numbers(g) == numbers{4, 8, 12});
  // into the argument itself
  rc::ndarray<double, 1> y = x;
  rc::grad(square_sum).into(y)(y);
  CHECK(numbers(y) == numbers{2, 4, 6});
  rc::ndarray<double, 2> m{{1, 2}, {3, 4}};
  rc::fn([](auto a) { return rc::matmul(a, a.T()); }).into(m)(m);
  CHECK(numbers(m) == numbers{5, 11, 11, 25});
  rc::tensor<double, 2, 2> a{{1, 2}, {3, 4}}, b{{0, 1}, {1, 0}};
  rc::fn([](auto p, auto q) { return std::pair(q.T() + p, p.T() - q); }).into(a, b)(a, b);
  CHECK(numbers(a) == numbers{1, 3, 4, 4});
  CHECK(numbers(b) == numbers{1, 2, 1, 4});
}

TEST_CASE("a prepared function keeps its workspace, for any sizes") {
  auto const f = [](auto w, auto v) { return rc::sum(rc::softmax(rc::matmul(rc::tanh(rc::matmul(v, w)), w)) * v); };
  auto step = rc::prepared(rc::grad(f));
  for (int n : {3, 40, 5, 40}) {
    rc::ndarray<double, 2> const w = 0.1 * rc::eye<double>(n), v = rc::ones<double>(rc::shape(2, n));
    auto const g = step(w, v);
    CHECK(numbers(g) == numbers(rc::grad(f)(w, v)));
    rc::ndarray<double, 2> into(n, n);
    step.into(into)(w, v);
    CHECK(numbers(into) == numbers(g));
  }
  auto copy = step;
  rc::ndarray<double, 2> const w = rc::eye<double>(2), v = rc::ones<double>(rc::shape(1, 2));
  CHECK(numbers(copy(w, v)) == numbers(rc::grad(f)(w, v)));
}

TEST_CASE("a pullback is called as often as one likes") {
  auto const f = [](auto a, auto b) { return rc::exp(a) * b; };
  rc::ndarray<double, 1> const a{0, 1}, b{2, 3};
  auto const [y, pull] = rc::vjp(f)(a, b);
  double const e = std::exp(1.);
  CHECK(numbers(y).near({2, 3 * e}));
  for (double scale : {1., -2.}) {
    auto const [ca, cb] = pull(rc::ndarray<double, 1>{scale, scale});
    CHECK(numbers(ca).near({2 * scale, 3 * e * scale}));
    CHECK(numbers(cb).near({scale, e * scale}));
  }
  auto const again = pull;
  CHECK(numbers(std::get<1>(again(rc::ndarray<double, 1>{1, 0}))) == numbers{1, 0});
  CHECK(raised([&] { pull(rc::ndarray<double, 1>{1, 2, 3}); }).rfind("shape_error: ", 0) == 0);
}

TEST_CASE("a cotangent that nothing reads has the shape of its value, too") {
  auto const f = [](auto a, auto b) { return std::tuple(rc::floor(rc::sum(a, rc::axis<0>)), a * b, rc::floor(b)); };
  rc::ndarray<double, 2> const a{{1, 2, 3}, {4, 5, 6}}, b = 2. * a;
  auto const [y, pull] = rc::vjp(f)(a, b);
  using vector = rc::ndarray<double, 1>;
  auto const [ca, cb] = pull(std::tuple(vector{1, 1, 1}, rc::ndarray<double, 2>{a}, rc::ndarray<double, 2>{a}));
  CHECK(numbers(ca) == numbers{2, 8, 18, 32, 50, 72});
  CHECK(numbers(cb) == numbers{1, 4, 9, 16, 25, 36});
  CHECK(raised([&] {
          pull(std::tuple(vector{1, 1}, rc::ndarray<double, 2>{a}, rc::ndarray<double, 2>{a}));
        }).rfind("shape_error: vjp: a cotangent of shape (2,) for a value of shape (3,)", 0) == 0);
}

TEST_CASE("a tangent or cotangent of another shape is an error that says which, also where a function is interpreted") {
  auto const square = [](auto a) { return rc::eval(a * a); };
  rc::ndarray<double, 1> const two{1, 2}, three{1, 2, 3};
  CHECK(raised([&] { rc::jvp(square)(two)(three); }) == "shape_error: jvp, a tangent: (2,) (3,)");
  CHECK(raised([&] { rc::interpret(rc::jvp(square))(two)(three); }) == "shape_error: jvp, a tangent: (2,) (3,)");
  CHECK(raised([&] {
          auto const [y, pull] = rc::interpret(rc::vjp(square))(two);
          pull(three);
        }) == "shape_error: vjp, a cotangent: (2,) (3,)");
}

TEST_CASE("a derivative that does not depend on the point, and one that is zero") {
  rc::ndarray<double, 1> const x{1, 2, 3};
  CHECK(numbers(rc::grad([](auto v) { return rc::sum(v) * 3.; })(x)) == numbers{3, 3, 3});
  CHECK(numbers(rc::grad([](auto v) { return rc::sum(rc::floor(v)) + 0. * rc::sum(v); })(x)) == numbers{0, 0, 0});
  CHECK(numbers(rc::grad([](auto v, auto u) { return rc::sum(u) + 0. * rc::sum(rc::sign(v)); })(x, x)) ==
        numbers{0, 0, 0});
  CHECK(numbers(rc::grad([](auto v) { return rc::sum(rc::stop_gradient(v) * v); })(x)) == numbers{1, 2, 3});
}

TEST_CASE("cotangents of pieces: apart, equal, overlapping, in rows, columns and elements") {
  auto const near = [](auto const& f, auto const& x) {
    auto const g = rc::eval(rc::grad(f)(x));
    rc::ndarray<double, 2> const dynamic = x;
    auto const same = rc::eval(rc::grad(f)(dynamic));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) {
        auto up = x, down = x;
        up(i, j) += 1e-6, down(i, j) -= 1e-6;
        CHECK(g(i, j) ==
              doctest::Approx((double(rc::fn(f)(up)) - double(rc::fn(f)(down))) / 2e-6).epsilon(1e-7).scale(1));
        CHECK(same(i, j) == doctest::Approx(g(i, j)).epsilon(1e-14));
      }
    rc::tensor<double, 2, 3, 4> batch;
    batch(0) = x, batch(1) = 2 * x;
    auto const rows = rc::eval(rc::vmap(rc::grad(f))(batch));
    auto const twice = rc::eval(rc::grad(f)(rc::eval(2 * x)));
    CHECK(numbers(rc::eval(rows(0))).near(numbers(g), 1e-13));
    CHECK(numbers(rc::eval(rows(1))).near(numbers(twice), 1e-13));
  };
  rc::tensor<double, 3, 4> const x{{0.1, -0.2, 0.3, 1.2}, {0, 0.2, -0.1, -0.7}, {0.4, 0, 0.1, 0.5}};
  // elements in any order, one left out, one read twice
  near([](auto a) { return a(2, 3) * a(0, 1) + rc::exp(a(1, 1)) * a(0, 0) - a(1, 2) * a(2, 3) * a(0, 2); }, x);
  // whole rows, and columns
  near([](auto a) { return rc::sum(a(2) * rc::exp(a(0))) + rc::sum(a(1)); }, x);
  near([](auto a) { return rc::sum(a(all, 1) * a(all, 3)) + rc::sum(rc::sin(a(all, 0))); }, x);
  // pieces that meet, and rows beside columns
  near([](auto a) { return rc::sum(rc::square(a(0, rc::range<0, 3>()))) * a(0, 1) + a(0, 3) * a(0, 2); }, x);
  near([](auto a) { return rc::sum(a(1)) * a(2, 0) + rc::sum(rc::square(a(all, 1))) * a(1, 3); }, x);
  // steps, and a second derivative
  near([](auto a) { return rc::sum(a(1, rc::range<0, 4, 2>()) * a(2, rc::range<1, 3>())); }, x);
  constexpr auto f = [](auto v) { return v(0) * v(0) * v(2) + rc::exp(v(1) * v(2)); };
  rc::tensor<double, 3> const v{0.5, -0.3, 0.8};
  auto const h = rc::eval(rc::hessian(f)(v));
  double const e = std::exp(-0.24);
  CHECK(numbers(h).near({1.6, 0, 1, 0, 0.64 * e, (1 - 0.24) * e, 1, (1 - 0.24) * e, 0.09 * e}, 1e-12));
}

// more instructions than one constant takes on: derived, finished and fused in parts (autodiff/program.hpp)
TEST_CASE("a long function and its gradient are those of a loop") {
  constexpr int rounds = 300;
  auto const f = [](auto x, auto y) {
    for (int k = 0; k < rounds; ++k) x = x * y + 0.5;
    return rc::sum(x);
  };
  double const x0[] = {0.25, -1.5}, y0[] = {0.9, 1.001};
  rc::tensor<double, 2> const x{x0[0], x0[1]}, y{y0[0], y0[1]};
  auto const [value, gradients] = rc::value_and_grad<0, 1>(f)(x, y);
  auto const& [dx, dy] = gradients;
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    double v = x0[k], by_x = 1, by_y = 0;
    for (int i = 0; i < rounds; ++i) by_y = by_y * y0[k] + v, by_x *= y0[k], v = v * y0[k] + 0.5;
    sum += v;
    CHECK(dx(k) == doctest::Approx(by_x));
    CHECK(dy(k) == doctest::Approx(by_y));
  }
  CHECK(value.item() == doctest::Approx(sum));
}
