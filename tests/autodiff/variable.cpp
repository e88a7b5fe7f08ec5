// Variables: gradients of statements that recorded themselves against rc::grad of the same function, how they add up,
// what is kept and released, and what is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <new>
#include <string>
#include <thread>
#include <type_traits>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class F>
std::string tape_error_of(F&& f) {
  try {
    f();
  } catch (rc::tape_error const& e) {
    return e.what();
  }
  return "";
}
bool says(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

constexpr auto network = [](auto w, auto b, auto x) {
  auto h = rc::tanh(rc::matmul(x, w) + b);
  auto p = rc::exp(h - rc::max(h, rc::axis<1>, rc::keepdims));
  auto q = p / rc::sum(p, rc::axis<1>, rc::keepdims);
  return rc::mean(rc::square(q)) + rc::sum(rc::abs(w)) * .25;
};

}  // namespace

TEST_CASE("gradients are those of the same function") {
  rc::tape tape;
  rc::ndarray<double, 2> x(10, 3), m(3, 4);
  for (int k = 0; k < 30; ++k) x(k / 3, k % 3) = std::cos(k);
  for (int k = 0; k < 12; ++k) m(k / 4, k % 4) = std::sin(2 * k);
  rc::tensor<double, 4> const start{.1, -.2, .3, .4};
  auto w = tape.variable(m);
  auto b = tape.variable(start, {.name = "bias"});
  static_assert(std::is_same_v<decltype(w), rc::variable<double, rc::dyn, rc::dyn>>);
  static_assert(std::is_same_v<decltype(b), rc::variable<double, 4>>);
  CHECK(w.shape(1) == 4);

  rc::variable h = rc::tanh(rc::matmul(x, w) + b);
  rc::variable p = rc::exp(h - rc::max(h, rc::axis<1>, rc::keepdims));
  rc::variable q = p / rc::sum(p, rc::axis<1>, rc::keepdims);
  rc::variable loss = rc::mean(rc::square(q)) + rc::sum(rc::abs(w)) * .25;
  CHECK(tape.size() == 4);
  loss.backward();
  CHECK(tape.size() == 0);
  auto const [value, g] = rc::value_and_grad<0, 1>(network)(w.value(), b.value(), x);
  CHECK(double(loss) == doctest::Approx(double(value)).epsilon(1e-14));
  CHECK(numbers(w.grad()).near(numbers(std::get<0>(g)), 1e-12));
  CHECK(numbers(b.grad()).near(numbers(std::get<1>(g)), 1e-12));

  // the same in one statement
  w.zero_grad(), b.zero_grad();
  CHECK(numbers(b.grad()) == numbers{0, 0, 0, 0});
  auto const h1 = rc::tanh(rc::matmul(x, w) + b);
  auto const p1 = rc::exp(h1 - rc::max(h1, rc::axis<1>, rc::keepdims));
  rc::variable again = rc::mean(rc::square(p1 / rc::sum(p1, rc::axis<1>, rc::keepdims))) + rc::sum(rc::abs(w)) * .25;
  again.backward();
  CHECK(numbers(w.grad()).near(numbers(std::get<0>(g)), 1e-12));
  CHECK(numbers(b.grad()).near(numbers(std::get<1>(g)), 1e-12));
}

TEST_CASE("float, broadcasts of extents that are 1 when it runs, numbers that change") {
  rc::tape tape;
  rc::ndarray<float, 2> column(3, 1), row(1, 2);
  for (int k = 0; k < 3; ++k) column(k, 0) = float(k + 1);
  row(0, 0) = 10, row(0, 1) = 20;
  auto c = tape.variable(column);
  auto r = tape.variable(row);
  for (float factor : {1.f, 3.f}) {
    c.zero_grad(), r.zero_grad();
    rc::variable s = rc::sum(factor * c * r);
    s.backward();
    CHECK(float(s) == 180 * factor);
    CHECK(numbers(c.grad()) == numbers{30 * double(factor), 30 * double(factor), 30 * double(factor)});
    CHECK(numbers(r.grad()) == numbers{6 * double(factor), 6 * double(factor)});
  }
  // a float operand of a double statement
  auto d = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  auto f = tape.variable(rc::tensor<float, 3>{4, 5, 6});
  rc::variable s = rc::sum(d * f);
  s.backward();
  CHECK(numbers(d.grad()) == numbers{4, 5, 6});
  CHECK(numbers(f.grad()) == numbers{1, 2, 3});
}

TEST_CASE("what is used twice adds up, in one statement and in several") {
  rc::tape tape;
  auto a = tape.variable(3.);
  rc::variable t = a * a;
  rc::variable s = t + t * t;  // a^2 + a^4
  s.backward(rc::retain);
  CHECK(double(a.grad()) == 6 + 4 * 27);
  CHECK(tape.size() == 2);
  s.backward();
  CHECK(double(a.grad()) == 2 * (6 + 4 * 27));
  auto const text = tape_error_of([&] { s.backward(); });
  CHECK(says(text, "statement 2"));
  CHECK(says(text, "retain"));
  CHECK(double(a.grad()) == 2 * (6 + 4 * 27));

  // one result, two ways to it of which one has gone already
  a.zero_grad();
  rc::variable u = rc::exp(a), v = u * 2., w = u * 3.;
  v.backward();
  CHECK(double(a.grad()) == doctest::Approx(2 * std::exp(3.)));
  CHECK(says(tape_error_of([&] { w.backward(); }), "the result of statement 3"));
  CHECK(double(a.grad()) == doctest::Approx(2 * std::exp(3.)));
  // a variable itself
  a.zero_grad();
  a.backward();
  CHECK(double(a.grad()) == 1);
}

TEST_CASE("cotangents of what is no single number, kept gradients of results") {
  rc::tape tape;
  auto x = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  rc::variable y = x * x;
  y.retain_grad();
  rc::variable z = 2. * y;
  z.backward(rc::tensor<double, 3>{1, 10, 100});
  CHECK(numbers(y.grad()) == numbers{2, 20, 200});
  CHECK(numbers(x.grad()) == numbers{4, 80, 1200});
  CHECK(says(tape_error_of([&] { (void)z.grad(); }), "retain_grad"));
  rc::variable n = x(rc::range(0, x.shape(0) - 1)) * 1.;
  CHECK_THROWS_AS(n.backward(rc::ndarray<double, 1>{1, 2, 3}), rc::shape_error);
}

TEST_CASE("parts, rows and transposes") {
  rc::tape tape;
  auto m = tape.variable(rc::tensor<double, 3, 2>{{1, 2}, {3, 4}, {5, 6}});
  rc::variable s = rc::sum(m(rc::range(0, 2), 1) * m(1)) + m(2, 0) * m(2, 0);
  CHECK(double(s) == 2 * 3 + 4 * 4 + 25);
  s.backward();
  CHECK(numbers(m.grad()) == numbers{0, 3, 2, 8, 10, 0});
  m.zero_grad();
  rc::variable t = rc::sum(rc::matmul(m.T(), m));
  t.backward();
  CHECK(numbers(m.grad()) == numbers{6, 6, 14, 14, 22, 22});
  m.zero_grad();
  rc::variable row = m(-1);  // a copy that remembers where it came from
  rc::variable u = row(1) * row(1) * 1.;
  u.backward();
  CHECK(numbers(m.grad()) == numbers{0, 0, 0, 0, 0, 12});

  auto d = tape.variable(rc::ndarray<double, 2>{{1, 2}, {3, 4}, {5, 6}});
  rc::tensor<int, 3> rows{2, 0, 2};
  rc::variable g = d(rows) * rc::tensor<double, 3, 1>{{1}, {10}, {100}};
  rows = 0;  // is nothing to the statement
  g.backward(rc::ones<double>(rc::shape(3, 2)));
  CHECK(numbers(d.grad()) == numbers{10, 10, 0, 0, 101, 101});
  d.zero_grad();
  rc::tensor<int, 2> const i{0, 2}, j{1, 0};
  rc::variable picked = rc::sum(rc::square(d(i, j)));
  CHECK(double(picked) == 4 + 25);
  picked.backward();
  CHECK(numbers(d.grad()) == numbers{0, 4, 0, 0, 10, 0});
  d.zero_grad();
  rc::variable flat = rc::sum(rc::reshape(d, rc::shape(2, 3)) * 0.) + rc::sum(rc::flip(d) * d);
  flat.backward();
  CHECK(numbers(d.grad()) == numbers{12, 10, 8, 6, 4, 2});
}

TEST_CASE("operands that are no variables may be written to afterwards") {
  rc::tape tape;
  auto w = tape.variable(rc::ndarray<double, 1>{1, 2, 3, 4});
  rc::ndarray<double, 1> x{1, 2, 3, 4}, y{5, 6, 7, 8};
  rc::tensor<double, 4> z{2, 2, 2, 2};
  rc::variable s = rc::sum(w * x * z) + rc::sum(w(rc::range(0, 4, 2)) * y(rc::range(3, 0, -2)));
  x = 0., z = 0., y = rc::zeros<double>(rc::shape(7));
  s.backward();
  CHECK(numbers(w.grad()) == numbers{2 + 8, 4, 6 + 6, 8});
}

TEST_CASE("control flow that depends on data") {
  rc::tape tape;
  for (double start : {.3, 2.}) {
    auto a = tape.variable(start);
    rc::variable x = a * 1.;
    int rounds = 0;
    while (double(x.value()) < 100) {
      if (rounds % 2 == 0)
        x = x * x + 1.;
      else
        x = x + a;
      ++rounds;
    }
    x.backward();
    auto const by_hand = [&](double v) {
      double y = v;
      for (int k = 0; k < rounds; ++k) y = k % 2 == 0 ? y * y + 1. : y + v;
      return y;
    };
    double const slope = (by_hand(start + 1e-6) - by_hand(start - 1e-6)) / 2e-6;
    CHECK(double(a.grad()) == doctest::Approx(slope).epsilon(1e-6));
  }
}
