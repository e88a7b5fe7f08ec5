// Interpreted functions: what they may do that compiled ones may not (captures, branches on values, a look at what has
// been computed so far), and that they compute the same.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr rc::all_t all{};
rc::tensor<double, 3> const x{1, 2, 3};

}  // namespace

TEST_CASE("run-time values are captured: numbers, tensors, views and expressions over them") {
  double const rate = 0.25;
  rc::ndarray<double, 2> const m{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 3> const t{1, 0, -1};
  auto const f = [&](auto v) { return rc::sum(rate * v * m(1) + v * t * rc::sum(m, rc::axis<0>)); };
  // 0.25 (4 + 10 + 18) + 5 - 27
  CHECK(double(rc::interpret(f)(x)) == 8 - 22);
  CHECK(numbers(rc::interpret(rc::grad(f))(x)) == numbers{1 + 5, 1.25, 1.5 - 9});
  std::vector<double> factors{2, 3, 5};
  auto const g = [&](auto v) {
    for (double const k : factors) v = v * k;
    return v;
  };
  CHECK(numbers(rc::interpret(g)(x)) == numbers{30, 60, 90});
}

TEST_CASE("values are looked at, and decide what is done next") {
  int steps = 0;
  auto const root = [&](auto a) {
    auto y = a * 1.;
    while (std::abs(double(y * y - a)) > 1e-12) y = y - (y * y - a) / (2. * y), ++steps;
    return y;
  };
  CHECK(double(rc::interpret(root)(2.)) == doctest::Approx(std::sqrt(2.)));
  CHECK(steps >= 4);
  CHECK(double(rc::interpret(rc::grad(root))(2.)) == doctest::Approx(0.5 / std::sqrt(2.)));
  auto const choose = [](auto v) {
    if (rc::sum(v) < 1.) return rc::sum(v);
    return rc::sum(v * v);
  };
  CHECK(double(rc::interpret(choose)(x)) == 14);
  CHECK(double(rc::interpret(choose)(rc::tensor<double, 3>{-1, 0, 0.5})) == -0.5);
  CHECK(numbers(rc::interpret(rc::grad(choose))(x)) == numbers{2, 4, 6});
  std::vector<double> seen;
  rc::interpret([&](auto v) {
    auto const s = rc::sum(v);
    seen.push_back(s.item());
    seen.push_back(double(v(1)));
    return s;
  })(x);
  CHECK(seen == std::vector<double>{6, 2});
}

TEST_CASE("the same as compiled: other element types, updates, indices, records") {
  auto const f = [](auto v, auto rows) {
    auto part = rc::reshape(v, rc::extents<3, 2>{});
    part(1) = part(0) * 2. + rc::max(part, rc::axis<0>);
    part(all, 0) -= 1.;
    auto const picked = part(rows);
    auto const joined = rc::concat(picked, rc::flip(part, rc::axis<0>));
    auto const order = rc::argmax(joined, rc::axis<0>);
    return std::tuple(joined, order, joined > 2., rc::matmul(joined, joined.T()), rc::var(joined), rc::softmax(joined));
  };
  rc::tensor<double, 2, 3> const s{{1, -2, 3}, {0.5, 4, -1}};
  rc::tensor<int, 2> const rows{2, 0};
  auto const a = rc::fn(f)(s, rows), b = rc::interpret(f)(s, rows);
  static_assert(std::is_same_v<decltype(a), decltype(b)>);
  CHECK(numbers(std::get<0>(a)) == numbers(std::get<0>(b)));
  CHECK(numbers(std::get<1>(a)) == numbers(std::get<1>(b)));
  CHECK(numbers(std::get<2>(a)) == numbers(std::get<2>(b)));
  CHECK(numbers(std::get<3>(a)).near(numbers(std::get<3>(b)), 1e-14));
  CHECK(std::get<4>(a).item() == doctest::Approx(std::get<4>(b).item()));
  CHECK(numbers(std::get<5>(a)).near(numbers(std::get<5>(b)), 1e-14));
  auto const loss = [=](auto v, auto r) { return rc::sum(std::get<3>(f(v, r))); };
  CHECK(numbers(rc::grad(loss)(s, rows)).near(numbers(rc::interpret(rc::grad(loss))(s, rows)), 1e-12));
}

TEST_CASE("many operations: the graph grows as far as it has to") {
  auto const f = [](auto v) {
    for (int k = 0; k < 3000; ++k) v = v + 0.001 * rc::sin(v);
    return rc::sum(v);
  };
  double v = 1, slope = 1;
  for (int k = 0; k < 3000; ++k) slope *= 1 + 0.001 * std::cos(v), v += 0.001 * std::sin(v);
  double start = 1;  // no constant, lest the compiler interprets it all
  CHECK(double(rc::interpret(f)(start)) == doctest::Approx(v));
  CHECK(double(rc::interpret(rc::grad(f))(start)) == doctest::Approx(slope));
}

TEST_CASE("arguments: views, expressions, tensors without elements") {
  rc::ndarray<double, 2> const m{{1, 2}, {3, 4}};
  auto const f = [](auto v) { return rc::sum(v * v, rc::axis<0>); };
  CHECK(numbers(rc::interpret(f)(m.T())) == numbers{5, 25});
  CHECK(numbers(rc::interpret(f)(m(rc::range(1, -3, -1), rc::range(1, 2)))) == numbers{20});
  CHECK(numbers(rc::interpret(f)(rc::ndarray<double, 2>(0, 2))) == numbers{0, 0});
  CHECK(rc::interpret(f)(rc::ndarray<double, 2>(2, 0)).size() == 0);
}

TEST_CASE("symbols and their extents are printed, and a function that evaluates may be traced or called") {
  std::ostringstream out;
  auto const show = [&out](auto v) {
    out << v << " " << rc::sum(v) << " " << (v > 1.) << " " << v.shape(0) << " " << rc::sum(v).item();
    return rc::eval(v * 2.);
  };
  rc::tensor<double, 2> const given{1, 2.5};
  CHECK(numbers(rc::interpret(show)(given)) == numbers{2, 5});
  CHECK(out.str() == "[1 2.5] 3.5 [false true] 2 3.5");
  out.str("");
  rc::interpret(show)(rc::ndarray<double, 1>(given));
  CHECK(out.str() == "[1 2.5] 3.5 [false true] 2 3.5");
  auto const g = [](auto v) { return rc::eval(rc::fn([](auto w) { return w + 1.; })(v)); };
  CHECK(numbers(rc::fn(g)(given)) == numbers{2, 3.5});
  CHECK(numbers(g(given)) == numbers{2, 3.5});
}
