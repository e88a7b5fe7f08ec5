// Loops in loops in a scan, backwards.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"

namespace rc = ricci;

TEST_CASE("a bound that is the number of the iteration around it, a while within, a scan around") {
  // sums of powers q^(i + 1)
  auto const f = [](auto q, auto xs) {
    return std::get<0>(rc::scan(
        [=](auto s, auto e) {
          auto const sum = rc::fori_loop(
              0, 4,
              [=](auto i, auto t) {
                auto const p = rc::fori_loop(
                    0, i, [=](auto, auto r) { return r * q; }, q, rc::at_most<4>);
                return t + p * e;
              },
              s * 0.);
          auto const large = rc::while_loop([](auto t) { return t < 2.; }, [=](auto t) { return t * (1. + q * q); },
                                            rc::abs(sum) + .1, rc::at_most<40>);
          return std::pair(s + large, 0.);
        },
        q * 0., xs));
  };
  auto const by_hand = [](double q, double const* xs) {
    double s = 0;
    for (int k = 0; k < 3; ++k) {
      double t = 0;
      for (int i = 0; i < 4; ++i) {
        double p = q;
        for (int j = 0; j < i; ++j) p *= q;
        t += p * xs[k];
      }
      double large = std::abs(t) + .1;
      while (large < 2) large *= 1 + q * q;
      s += large;
    }
    return s;
  };
  rc::tensor<double, 3> xs{.5, 2, -.3};
  CHECK(rc::fn(f)(.6, xs).item() == doctest::Approx(by_hand(.6, xs.data())));
  double const h = 1e-6;
  auto const [dq, dx] = rc::grad<0, 1>(f)(.6, xs);
  CHECK(dq.item() ==
        doctest::Approx((by_hand(.6 + h, xs.data()) - by_hand(.6 - h, xs.data())) / (2 * h)).epsilon(1e-6));
  for (int k = 0; k < 3; ++k) {
    auto up = xs, down = xs;
    up(k) += h, down(k) -= h;
    double const slope = (by_hand(.6, up.data()) - by_hand(.6, down.data())) / (2 * h);
    CHECK(dx(k) == doctest::Approx(slope).epsilon(1e-6));
  }
  auto const [iq, ix] = rc::interpret(rc::grad<0, 1>(f))(.6, xs);
  CHECK(iq.item() == doctest::Approx(dq.item()));
  CHECK(numbers(ix).near(numbers(dx)));
  auto const each = rc::vmap(rc::grad(f), rc::in_axes<0, rc::unbatched>)(rc::tensor<double, 2>{.6, .4}, xs);
  CHECK(each(0) == doctest::Approx(dq.item()));
  CHECK(each(1) == doctest::Approx((by_hand(.4 + h, xs.data()) - by_hand(.4 - h, xs.data())) / (2 * h)).epsilon(1e-6));
}
