// Loops in loops and in branches, which read values of the functions around them.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"

namespace rc = ricci;

TEST_CASE("loops in loops and branches, whose values stand around them, too") {
  // a while in a fori of a value in a while; tanh(c) is also outside, before and behind
  auto const f = [](auto a, auto n, auto c) {
    auto const before = rc::tanh(c);
    auto const end =
        rc::while_loop([=](auto s) { return s < 4.; },
                       [=](auto s) {
                         auto const inner = rc::fori_loop(
                             0, n,
                             [=](auto i, auto t) {
                               return rc::while_loop([=](auto q) { return q < t + .5; },
                                                     [=](auto q) { return q + rc::tanh(c) + .01 * i; }, t * 1.);
                             },
                             s);
                         return inner + rc::tanh(c) * a;
                       },
                       a * a);
    return end * rc::tanh(c) + before;
  };
  auto const hand = [](double a, int n, double c) {
    double s = a * a;
    while (s < 4.) {
      double t = s;
      for (int i = 0; i < n; ++i) {
        double q = t;
        while (q < t + .5) q += std::tanh(c) + .01 * i;
        t = q;
      }
      s = t + std::tanh(c) * a;
    }
    return s * std::tanh(c) + std::tanh(c);
  };
  CHECK(rc::fn(f)(.7, 3, .4).item() == doctest::Approx(hand(.7, 3, .4)));
  CHECK(rc::interpret(f)(.7, 3, .4).item() == doctest::Approx(hand(.7, 3, .4)));
  double const h = 1e-7, slope = (hand(.7 + h, 3, .4 + 2 * h) - hand(.7 - h, 3, .4 - 2 * h)) / (2 * h);
  CHECK(std::get<1>(rc::jvp(f)(.7, 3, .4)(1., 0, 2.)).item() == doctest::Approx(slope).epsilon(1e-5));
  rc::tensor<double, 3> const a{.7, 1.5, 3}, c{.4, .9, .2};
  rc::tensor<int, 3> const n{3, 1, 2};
  auto const each = rc::vmap(f)(a, n, c);
  for (int k = 0; k < 3; ++k) CHECK(each(k) == doctest::Approx(hand(a(k), n(k), c(k))));
  auto const slopes = std::get<1>(rc::jvp(rc::vmap(f))(a, n, c)(rc::ones_like(a), n, 2. * rc::ones_like(c)));
  CHECK(slopes(0) == doctest::Approx(slope).epsilon(1e-5));

  auto const branched = [](auto p, auto count) {
    return rc::fori_loop(
        0, count,
        [=](auto i, auto s) {
          return rc::cond(
              i % 2 == 0,
              [=](auto t) { return rc::while_loop([](auto q) { return q < 3.; }, [=](auto q) { return q + p; }, t); },
              [=](auto t) { return t * .5 - p; }, s);
        },
        p * 1.);
  };
  auto const branched_by_hand = [](double p, int count) {
    double s = p;
    for (int i = 0; i < count; ++i) {
      if (i % 2 != 0)
        s = s * .5 - p;
      else
        while (s < 3.) s += p;
    }
    return s;
  };
  CHECK(rc::fn(branched)(.4, 5).item() == doctest::Approx(branched_by_hand(.4, 5)));
  CHECK(rc::interpret(branched)(.4, 5).item() == doctest::Approx(branched_by_hand(.4, 5)));
  double const up = branched_by_hand(.4 + h, 5), down = branched_by_hand(.4 - h, 5);
  CHECK(rc::jacfwd(branched)(.4, 5).item() == doctest::Approx((up - down) / (2 * h)).epsilon(1e-5));
  auto const both = rc::vmap(branched)(rc::tensor<double, 2>{.4, .3}, rc::tensor<int, 2>{5, 2});
  CHECK(both(0) == doctest::Approx(branched_by_hand(.4, 5)));
  CHECK(both(1) == doctest::Approx(branched_by_hand(.3, 2)));
}
