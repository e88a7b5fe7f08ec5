// fori_loop and while_loop against the same loops of C++: values and forward mode, compiled and interpreted.
// Reverse mode is in bounded_loops.cpp, batches and nests are in loop_batches.cpp and nested_loops.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../counted_loops.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using namespace counted_loops;

namespace {

using vector = rc::tensor<double, 3>;
vector const x{.5, -1, 2}, dx{1, .25, -2};

double slope_by_hand(double a, int n, double c, double da, double dc) {
  double y = 1, dy = 0;
  for (int i = 1; i < n; ++i) dy = dy * a + y * da + std::cos(c + i) * dc, y = y * a + std::sin(c + i);
  return dy;
}

template <class Kind = rc::values>
struct state {
  rc::field<Kind, double, 2> position, velocity;
};

}  // namespace

TEST_CASE("fori_loop: bounds that are numbers, extents, values, down to no iterations") {
  for (int n : {-3, 0, 1, 2, 7}) {
    numbers const expected{by_hand(.5, n, .3), by_hand(-1, n, .3), by_hand(2, n, .3)};
    CHECK(numbers(rc::fn(steps)(x, n, .3)).near(expected));
    CHECK(numbers(rc::interpret(steps)(x, n, .3)).near(expected));
    CHECK(numbers(rc::fn(steps)(rc::ndarray<double, 1>(x), rc::tensor<int>{n}, .3)).near(expected));
  }
  auto const seven = [](auto a, auto c) { return steps(a, 7, c); };
  auto const along = [](auto a, auto v) { return steps(a, v.shape(0) + 1, .3); };
  numbers const expected{by_hand(.5, 7, .3), by_hand(-1, 7, .3), by_hand(2, 7, .3)};
  CHECK(numbers(rc::fn(seven)(x, .3)).near(expected));
  CHECK(numbers(rc::fn(along)(x, rc::tensor<double, 6>{})).near(expected));
  CHECK(numbers(rc::fn(along)(x, rc::ndarray<double, 1>(6))).near(expected));
  CHECK(numbers(rc::interpret(along)(x, rc::ndarray<double, 1>(6))).near(expected));
  CHECK(numbers(rc::fn(along)(x, rc::ndarray<double, 1>(0))) == numbers{1, 1, 1});
  // from a value to another; the number of the iteration is an index, too
  auto const part = [](auto v, auto from, auto to) {
    return rc::fori_loop(
        from, to, [=](auto i, auto s) { return s + v(i); }, 0.);
  };
  rc::tensor<double, 5> const v{1, 2, 4, 8, 16};
  CHECK(rc::fn(part)(v, 1, 4).item() == 14);
  CHECK(rc::fn(part)(v, -2, 1).item() == 25);
  CHECK(rc::interpret(part)(v, 1, 4).item() == 14);
  CHECK(raised([&] { rc::fn(part)(v, 1, 6); }).starts_with("index_error"));
  rc::ndarray<rc::bfloat16, 1> narrow(600);  // an index has more digits than the elements
  for (int k = 0; k < 600; ++k) narrow(k) = rc::bfloat16(float(k % 2));
  CHECK(rc::fn(part)(narrow, 259, 260).item() == 1);
  CHECK(rc::interpret(part)(narrow, 259, 260).item() == 1);
  auto const total = [](auto t) {
    return rc::fori_loop(
        0, t.shape(0), [=](auto i, auto s) { return s + t(i); }, 0.);
  };
  CHECK(rc::fn(total)(v).item() == 31);
  CHECK(rc::fn(total)(rc::ndarray<double, 1>(v)).item() == 31);
  CHECK(numbers(rc::grad(total)(rc::ndarray<double, 1>(v))) == numbers{1, 1, 1, 1, 1});
  // at once, outside of traced functions
  CHECK(numbers(rc::fori_loop(
            2, 5, [](auto i, auto y) { return y * i; }, vector{1, 2, 3})) == numbers{24, 48, 72});
  CHECK(rc::while_loop([](auto k) { return k < 100; }, [](auto k) { return 3 * k; }, 1).item() == 243);
}

TEST_CASE("carries: records, integers, numbers, what is swapped; no carry at all") {
  auto const fall = [](auto s, auto n) {
    return rc::fori_loop(
        0, n,
        [](auto, auto p) {
          auto next = p;
          next.velocity = p.velocity - .1 * p.position;
          next.position = p.position + .1 * next.velocity;
          return next;
        },
        s);
  };
  state<> const start{{1, 2}, {.5, -1}}, end = rc::fn(fall)(start, 9);
  double p[] = {1, 2}, v[] = {.5, -1};
  for (int t = 0; t < 9; ++t)
    for (int k = 0; k < 2; ++k) v[k] -= .1 * p[k], p[k] += .1 * v[k];
  CHECK(numbers(end.position).near({p[0], p[1]}));
  CHECK(numbers(end.velocity).near({v[0], v[1]}));
  auto const fibonacci = [](auto n) {
    return rc::fori_loop(
        0, n, [](auto, auto s) { return std::pair(std::get<1>(s), std::get<0>(s) + std::get<1>(s)); },
        std::pair(std::int64_t(0), std::int64_t(1)));
  };
  CHECK(std::get<0>(rc::fn(fibonacci)(50)).item() == 12586269025);
  CHECK(std::get<0>(rc::interpret(fibonacci)(50)).item() == 12586269025);
  auto const collatz = [](auto n) {
    return rc::while_loop([](auto s) { return std::get<0>(s) != 1; },
                          [](auto s) {
                            auto const [k, count] = s;
                            return std::tuple(rc::where(k % 2 == 0, rc::floor_divide(k, 2), 3 * k + 1), count + 1);
                          },
                          std::tuple(n, 0));
  };
  CHECK(std::get<1>(rc::fn(collatz)(27)).item() == 111);
  CHECK(std::get<1>(rc::fn(collatz)(1)).item() == 0);
  CHECK(std::get<1>(rc::interpret(collatz)(27)).item() == 111);
  CHECK(numbers(std::get<1>(rc::vmap(collatz)(rc::tensor<int, 4>{1, 27, 6, 7}))) == numbers{0, 111, 8, 16});
}

TEST_CASE("numbers alone, of which the condition or the body says in which function they are") {
  auto const first = [](auto n) {
    return rc::while_loop([=](auto k) { return k * k < n; }, [](auto k) { return k + 1; }, 0);
  };
  auto const bounded = [](auto n) {
    return std::get<0>(rc::while_loop([=](auto s) { return rc::logical_and(std::get<0>(s) < n, n > 1); },
                                      [](auto s) { return std::tuple(std::get<0>(s) + 1, !std::get<1>(s)); },
                                      std::tuple(0, true), rc::at_most<20>));
  };
  auto const grown = [](auto a) {  // the condition knows of nothing
    return rc::while_loop([](auto s) { return s < 9.; }, [=](auto s) { return s + a; }, 0.);
  };
  auto const inner = [](auto n) {
    return rc::fori_loop(
        0, 3,
        [](auto, auto m) { return rc::while_loop([=](auto k) { return k < 2 * m; }, [](auto k) { return k + 3; }, 1); },
        n);
  };
  CHECK(rc::fn(first)(10).item() == 4);
  CHECK(rc::fn(first)(0).item() == 0);
  CHECK(rc::interpret(first)(10).item() == 4);
  CHECK(numbers(rc::vmap(first)(rc::tensor<int, 3>{0, 10, 17})) == numbers{0, 4, 5});
  for (int n : {-1, 1, 2, 11}) {
    CHECK(rc::fn(bounded)(n).item() == (n > 1 ? n : 0));
    CHECK(rc::interpret(bounded)(n).item() == (n > 1 ? n : 0));
  }
  CHECK(rc::fn(grown)(4.).item() == 12);
  CHECK(std::get<1>(rc::jvp(grown)(4.)(1.)).item() == 3);
  CHECK(rc::fn(inner)(2).item() == 22);  // 1 and steps of 3, to 4, 10 and 22
  CHECK(rc::interpret(inner)(2).item() == rc::fn(inner)(2).item());
}

TEST_CASE("forward mode, of first and second order") {
  auto const [value, slope] = rc::jvp(steps)(x, 6, .3)(dx, 0, .5);
  auto const [same, also] = rc::interpret(rc::jvp(steps))(x, 6, .3)(dx, 0, .5);
  for (int k = 0; k < 3; ++k) {
    CHECK(value(k) == doctest::Approx(by_hand(x(k), 6, .3)));
    CHECK(slope(k) == doctest::Approx(slope_by_hand(x(k), 6, .3, dx(k), .5)));
  }
  CHECK(numbers(same).near(numbers(value)));
  CHECK(numbers(also).near(numbers(slope)));
  auto const twice = rc::jacfwd(rc::jacfwd(steps))(x, 6, .3);
  double const h = 1e-5;
  for (int k = 0; k < 3; ++k) {
    double const difference = (slope_by_hand(x(k) + h, 6, .3, 1, 0) - slope_by_hand(x(k) - h, 6, .3, 1, 0)) / (2 * h);
    CHECK(twice(k, k, k) == doctest::Approx(difference).epsilon(1e-6));
    CHECK(twice(k, (k + 1) % 3, k) == 0);
  }
  for (double a : {2., 9., 1.}) {
    CHECK(rc::fn(root)(a).item() == doctest::Approx(std::sqrt(a)));
    auto const [r, dr] = rc::jvp(root)(a)(3.);
    CHECK(r.item() == doctest::Approx(std::sqrt(a)));
    CHECK(dr.item() == doctest::Approx(a == 1 ? 3. : 1.5 / std::sqrt(a)));  // of no iterations it is a itself
  }
  CHECK(rc::jacfwd(rc::jacfwd(root))(2.).item() == doctest::Approx(-.25 * std::pow(2., -1.5)));
  CHECK(std::get<1>(rc::fn(newton)(2.)).item() == newton_steps(2));
  // loops behind one another, whose values are read between and behind them
  auto const chain = [](auto a, auto n, auto c) {
    auto const y = steps(a, n, c);
    auto const r = root(rc::sum(y * y) + 1.);
    auto const z = steps(y / r, n, r);
    return rc::sum(z) * r + rc::sum(y);
  };
  auto const chain_by_hand = [](vector const& a, int n, double c) {
    double y[3], squares = 1, sum = 0, z = 0;
    for (int k = 0; k < 3; ++k) y[k] = by_hand(a(k), n, c), squares += y[k] * y[k], sum += y[k];
    double const r = std::sqrt(squares);
    for (int k = 0; k < 3; ++k) z += by_hand(y[k] / r, n, r);
    return z * r + sum;
  };
  auto const [total, change] = rc::jvp(chain)(x, 4, .3)(dx, 0, .5);
  CHECK(total.item() == doctest::Approx(chain_by_hand(x, 4, .3)));
  vector up = x, down = x;
  for (int k = 0; k < 3; ++k) up(k) += h * dx(k), down(k) -= h * dx(k);
  CHECK(change.item() ==
        doctest::Approx((chain_by_hand(up, 4, .3 + .5 * h) - chain_by_hand(down, 4, .3 - .5 * h)) / (2 * h))
            .epsilon(1e-6));
}

TEST_CASE("loops of numbers alone beside what is traced") {
  rc::ndarray<double, 2> const rows{{1, 2}, {3, 4}};
  // in the body of a scan, of which it reads nothing
  auto const scaled = [](auto a) {
    return rc::scan(
        [](auto h, auto row) {
          auto const k = rc::while_loop([](auto s) { return s.second < 3; },
                                        [](auto s) { return std::pair(2. * s.first, s.second + 1); }, std::pair(1., 0));
          auto const four = rc::fori_loop(
              0, 2, [](auto, auto y) { return 2. * y; }, 1.);
          return std::pair(h + row * k.first, h * four);
        },
        a(0), a);
  };
  CHECK(numbers(std::get<0>(rc::fn(scaled)(rows))) == numbers{33, 50});
  CHECK(numbers(std::get<1>(rc::interpret(scaled)(rows))) == numbers{4, 8, 36, 72});
  // and with bodies that read values and give numbers
  auto const read = [](auto a) {
    auto const counted = rc::while_loop([=](auto s) { return s < 2; },
                                        [=](auto s) {
                                          auto const r =
                                              rc::scan([](auto h, auto row) { return std::pair(h + row, h); }, a(0), a);
                                          (void)r;
                                          return s + 1;
                                        },
                                        0, rc::at_most<2>);
    return rc::sum(a) * counted;
  };
  CHECK(rc::fn(read)(rows).item() == 20);
  CHECK(rc::interpret(read)(rows).item() == 20);
  CHECK(numbers(rc::grad(read)(rows)) == numbers{2, 2, 2, 2});
  int limit = 5;
  CHECK(rc::while_loop([&](auto k) { return k < limit; }, [](auto k) { return k + 2; }, 0, rc::at_most<3>).item() == 6);
  CHECK_THROWS_AS(
      (void)rc::while_loop([&](auto k) { return k < limit; }, [](auto k) { return k + 2; }, 0, rc::at_most<2>),
      rc::value_error);
}

TEST_CASE("a loop is described, counted, and runs with memory of its own") {
  auto f = rc::prepared(rc::fn(steps));
  CHECK(f(x, 4, .3)(2) == doctest::Approx(by_hand(2, 4, .3)));
  CHECK(f(x, 9, .3)(2) == doctest::Approx(by_hand(2, 9, .3)));
  CHECK(rc::explain(steps, x, 4, .3).text.find("loop of a number of iterations that is a value") != std::string::npos);
  CHECK(rc::count(steps, x, 4, .3).operations == rc::count(steps, x, 9, .3).operations);
  rc::ndarray<double, 1> large(100000);
  rc::eval(large);
  for (int k = 0; k < 100000; ++k) large(k) = 1e-5 * k;
  auto const y = rc::eval(rc::fn(steps)(large, 5, .3));
  CHECK(y(77777) == doctest::Approx(by_hand(.77777, 5, .3)));
}
