// One loop each: least squares by Horner's scheme over 128 coefficients at 1024 places, and an equation of motion of
// 1000 numbers in 100 steps of RK4, as functions.hpp defines them.
#include <algorithm>
#include <memory>
#include <vector>

#include "../core/peers.hpp"
#include "peers.hpp"
#include "problems.hpp"

namespace bench {
namespace {

#if BENCH_EIGEN
using row = Eigen::ArrayXd;

// ---- least squares ----

constexpr int places = 1024, terms = 128, block = 32;

struct least_squares_by_hand {
  using lanes = Eigen::Array<double, block, 1>;
  using part = Eigen::Array<double, 8, 1>;
  row t = row::LinSpaced(places, -1, 1);
  double x[terms], g[terms];
  double value = 0;

  template <bool Derive>
  void run() {
    part sums[terms];
    if constexpr (Derive)
      for (part& s : sums) s.setZero();
    double all = 0;
    for (int from = 0; from < places; from += block) {
      lanes const at = t.segment<block>(from);
      lanes r = lanes::Zero();
      for (int j = terms - 1; j >= 0; --j) r = r * at + x[j];
      r -= at.sign();
      all += r.square().sum();
      if constexpr (Derive)
        for (int j = 0; j < terms; ++j) {
          sums[j] += (r.segment<8>(0) + r.segment<8>(8)) + (r.segment<8>(16) + r.segment<8>(24));
          r *= at;
        }
    }
    value = .5 * all;
    if constexpr (Derive)
      for (int j = 0; j < terms; ++j) g[j] = sums[j].sum();
  }
};

void polynomial() {
  numbers draw;
  auto const x = draw.fill(rc::tensor<double, terms>{});
  rc::tensor<double, terms> g;
  rc::tensor<double> value;
  least_squares_by_hand hand;
  std::copy(x.data(), x.data() + terms, hand.x);
  taped peer({x.data(), x.data() + terms}, [&]<class T>(T const* a) {
    T sum = 0. * a[0];
    for (int i = 0; i < places; ++i) {
      T r = a[terms - 1];
      for (int j = terms - 2; j >= 0; --j) r = r * hand.t(i) + a[j];
      r -= hand.t(i) < 0 ? -1. : 1.;
      sum += r * r;
    }
    return .5 * sum;
  });
  auto step = rc::prepared(rc::value_and_grad(least_squares<places>));
  auto const t =
      race([&] { hand.run<false>(), touch(&hand); }, [&] { step.into(value, g)(x), touch(g.data()), touch(x.data()); },
           [&] { hand.run<true>(), touch(&hand); }, peer);
  gradient({"least squares, 1024 x 128", t[0], t[1], t[2], 4, difference(g.data(), hand.g, terms), beside::objective,
            peer.time(t[3]), peer.error(hand.g)});
}

// ---- an equation of motion ----

constexpr int size = 1000, steps = 100;
constexpr double h = 2. / steps;

struct chain_by_hand {
  row x{size}, g{size};
  // a state has a 1 before it, so that the rate of all is x times what stands one place before
  row y{size + 1}, t{size + 1}, k1{size}, k2{size}, k3{size}, k4{size};
  std::vector<row> kept = std::vector<row>(steps, row(size + 1));
  row t1{size + 1}, t2{size + 1}, t3{size + 1}, c{size}, d1{size}, d2{size}, d3{size}, d4{size}, back{size + 1};

  void objective(bool keep) {
    y.setZero(), y(0) = t(0) = 1;
    for (int s = 0; s < steps; ++s) {
      if (keep) kept[std::size_t(s)] = y;
      k1 = x * y.head(size);
      t.tail(size) = y.tail(size) + h / 2 * k1;
      k2 = x * t.head(size);
      t.tail(size) = y.tail(size) + h / 2 * k2;
      k3 = x * t.head(size);
      t.tail(size) = y.tail(size) + h * k3;
      k4 = x * t.head(size);
      y.tail(size) += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
  void gradient_of_it() {
    objective(true);
    g.setZero(), c.setZero(), c(size - 1) = 1;
    t1(0) = t2(0) = t3(0) = 1, back(size) = 0;
    auto const by_state = back.tail(size);  // back has the cotangent of what stands one place before
    for (int s = steps - 1; s >= 0; --s) {
      row const& at = kept[std::size_t(s)];
      t1.tail(size) = at.tail(size) + h / 2 * (x * at.head(size));
      t2.tail(size) = at.tail(size) + h / 2 * (x * t1.head(size));
      t3.tail(size) = at.tail(size) + h * (x * t2.head(size));
      d4 = h / 6 * c;
      back.head(size) = x * d4;
      d3 = h / 3 * c + h * by_state;
      g += d4 * t3.head(size);
      d1 = by_state;  // of the state, all but c
      back.head(size) = x * d3;
      d2 = h / 3 * c + h / 2 * by_state;
      g += d3 * t2.head(size);
      d1 += by_state;
      back.head(size) = x * d2;
      d4 = h / 6 * c + h / 2 * by_state;
      g += d2 * t1.head(size);
      d1 += by_state;
      back.head(size) = x * d4;
      g += d4 * at.head(size);
      c += d1 + by_state;
    }
  }
};

void motion() {
  numbers draw;
  auto x = draw.fill(rc::tensor<double, size>{}, .2);
  x += 1.;
  rc::tensor<double, size> g;
  rc::tensor<double> value;
  auto const hand = std::make_unique<chain_by_hand>();
  std::copy(x.data(), x.data() + size, hand->x.data());
  auto step = rc::prepared(rc::value_and_grad(last_of_chain<steps>));
  auto const t = race([&] { hand->objective(false), touch(hand.get()); },
                      [&] { step.into(value, g)(x), touch(g.data()), touch(x.data()); },
                      [&] { hand->gradient_of_it(), touch(hand.get()); });
  gradient({"chain of 1000 by RK4, 100 steps", t[0], t[1], t[2], 1.2, difference(g.data(), hand->g.data(), size),
            beside::hand});
}
#endif

}  // namespace

void loops() {
#if BENCH_EIGEN
  if (wanted("least squares")) polynomial();
  if (wanted("chain")) motion();
#endif
}

}  // namespace bench
