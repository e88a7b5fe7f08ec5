// Variables: gradients of statements that recorded themselves against rc::grad of the same function, how they add up,
// what is kept and released, and what is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <type_traits>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

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
  auto const text = raised([&] { s.backward(); });
  CHECK(says(text, "statement 2"));
  CHECK(says(text, "retain"));
  CHECK(double(a.grad()) == 2 * (6 + 4 * 27));

  // one result, two ways to it of which one has gone already
  a.zero_grad();
  rc::variable u = rc::exp(a), v = u * 2., w = u * 3.;
  v.backward();
  CHECK(double(a.grad()) == doctest::Approx(2 * std::exp(3.)));
  CHECK(says(raised([&] { w.backward(); }), "the result of statement 3"));
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
  CHECK(says(raised([&] { (void)z.grad(); }), "retain_grad"));
  rc::variable n = x(rc::range(0, x.shape(0) - 1)) * 1.;
  CHECK(says(raised([&] { n.backward(rc::ndarray<double, 1>{1, 2, 3}); }), "shape_error"));
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
