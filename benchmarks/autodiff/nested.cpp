// Derivatives of derivatives, as functions.hpp defines them: the point from which a saddle's highest point is lowest,
// and the charge that lets a particle land at 0. Outside of the loops that are traced, both are descent in plain C++,
// the same for ricci and by hand.
#include <array>
#include <cmath>

#include "problems.hpp"

namespace bench {
namespace {

// ---- by hand ----

using pair_of = std::array<double, 2>;

double height_by_hand(pair_of a, pair_of b) { return (a[0] * a[0] + a[1] * a[1]) - (b[0] * b[0] + b[1] * b[1]); }
pair_of highest_by_hand(pair_of a, pair_of start) {
  return lowest<2>([&](pair_of b) { return -height_by_hand(a, b); },
                   [&](pair_of b) {
                     return pair_of{2 * b[0], 2 * b[1]};
                   },
                   start);
}

// where the particle lands, squared, and its derivative by w where that is wanted
template <bool Derive>
pair_of landing_by_hand(double w) {
  double x = 0, y = 8, vx = .75, vy = 0, dx = 0, dy = 0, dvx = 0, dvy = 0;
  while (y + .1 * vy > 0) {
    double const ax = x - 10, ay = y - (10 - w), by = y;
    double const ra = 1 / (ax * ax + ay * ay), rb = 1 / (ax * ax + by * by);
    double const ca = ra * std::sqrt(ra), cb = rb * std::sqrt(rb);
    double const nvx = vx + .1 * (ax * ca + ax * cb), nvy = vy + .1 * (ay * ca + by * cb);
    if constexpr (Derive) {
      double const day = dy + 1;
      double const dca = -3 * ca * ra * (ax * dx + ay * day), dcb = -3 * cb * rb * (ax * dx + by * dy);
      double const ndvx = dvx + .1 * (dx * (ca + cb) + ax * (dca + dcb));
      double const ndvy = dvy + .1 * (day * ca + ay * dca + dy * cb + by * dcb);
      dx += .1 * dvx, dy += .1 * dvy, dvx = ndvx, dvy = ndvy;
    }
    x += .1 * vx, y += .1 * vy, vx = nvx, vy = nvy;
  }
  double const end = x - y / vy * vx;
  double const by_w = Derive ? dx - (dy / vy * vx - y / (vy * vy) * dvy * vx + y / vy * dvx) : 0;
  return {end * end, 2 * end * by_w};
}

// the derivative of the height by one of its first two arguments, in forward mode: a loop whose number of iterations
// is a value has no other
template <int Argument>
constexpr auto slope_of_height = [](auto x1, auto y1, auto x_start, auto y_start) {
  auto const from_there = [=](auto x, auto y) { return height(x, y, x_start, y_start); };
  return rc::jvp(from_there)(x1, y1)(Argument == 0 ? 1. : 0., Argument == 1 ? 1. : 0.).second;
};

void saddle_point() {
  std::array<double, 4> ours{}, hand{};
  pair_of const start{1, 1};
  auto const value = rc::fn(height);
  auto const by_x = rc::fn(slope_of_height<0>);
  auto const by_y = rc::fn(slope_of_height<1>);
  auto const top = rc::fn(highest);
  auto const ricci = [&] {
    auto const a = lowest<2>(
        [&](pair_of x) { return double(value(x[0], x[1], start[0], start[1])); },
        [&](pair_of x) {
          return pair_of{double(by_x(x[0], x[1], start[0], start[1])), double(by_y(x[0], x[1], start[0], start[1]))};
        },
        start);
    auto const [x, y] = top(a[0], a[1], start[0], start[1]);
    ours = {a[0], a[1], double(x), double(y)};
    touch(&ours), touch(&start);
  };
  auto const by_hand = [&] {
    auto const a = lowest<2>([&](pair_of x) { return height_by_hand(x, highest_by_hand(x, start)); },
                             [&](pair_of x) {
                               pair_of const b = highest_by_hand(x, start);  // of which the height has no derivative
                               touch(&b);
                               return pair_of{2 * x[0], 2 * x[1]};
                             },
                             start);
    auto const b = highest_by_hand(a, start);
    hand = {a[0], a[1], b[0], b[1]};
    touch(&hand), touch(&start);
  };
  auto const t = race(ricci, by_hand);
  gradient(
      {"saddle, descent of descents", t[1], t[0], t[1], 1.2, difference(ours.data(), hand.data(), 4), beside::hand});
}

void particle() {
  double ours = 0, hand = 0;
  std::array<double, 1> start{0};
  auto const value = rc::fn(landing);
  auto const slope = rc::jvp(landing);
  auto const t = race(
      [&] {
        ours = lowest<1>([&](auto x) { return double(value(x[0])); },
                         [&](auto x) { return std::array{double(slope(x[0])(1.).second)}; }, start)[0];
        touch(&ours), touch(&start);
      },
      [&] {
        hand = lowest<1>([&](auto x) { return landing_by_hand<false>(x[0])[0]; },
                         [&](auto x) { return std::array{landing_by_hand<true>(x[0])[1]}; }, start)[0];
        touch(&hand), touch(&start);
      });
  gradient({"particle, descent of landings", t[1], t[0], t[1], 1.2, difference(&ours, &hand, 1), beside::hand});
}

}  // namespace

void nested() {
  if (wanted("saddle")) saddle_point();
  if (wanted("particle")) particle();
}

}  // namespace bench
