// The gradients of all examples, clipped one by one: beside Optax, beside a loop over examples, with noise, of records.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ricci/ricci.hpp>

#include <ricci/data/ragged.hpp>
#include <ricci/nn/clip_per_example.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/nn/wrappers.hpp>

#include "optax_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<2, 3>, Kind> in;
  nn::layer<nn::linear<3, 1>, Kind> out;
  constexpr auto operator()(auto const& x) const { return out(rc::tanh(in(x))); }
};
struct net_loss {
  constexpr auto operator()(auto const& m, auto state, auto const&, auto const& x, auto const& y) const {
    return std::pair(rc::mean(rc::square(m(x) - y)), state);
  }
};
template <rc::index_t N>
struct weights {
  template <class Kind = rc::values>
  struct params {
    rc::field<Kind, float, N> w;
  };
};
// whose gradient is the mean of the rows of x
struct linear_loss {
  constexpr auto operator()(auto const& m, auto state, auto const&, auto const& x) const {
    return std::pair(rc::mean(rc::matmul(x, m.w)), state);
  }
};
// each example is its derivative, 2, beside a number that may be infinite
struct beside_infinity {
  constexpr auto operator()(auto const& m, auto state, auto const&, auto const& x) const {
    return std::pair(2.f * m.w(0) + rc::mean(x), state);
  }
};
struct dropped_loss {
  constexpr auto operator()(auto const& m, auto state, auto const& mode, auto const& x) const {
    return std::pair(rc::mean(nn::dropout(x, .5f, mode)) * m.w(0), state);
  }
};
// of sequences: the sum of their elements, those of padding left out, times a number
struct sequence_loss {
  constexpr auto operator()(auto const& m, auto state, auto const&, auto const& texts, auto const& factor) const {
    auto const of_one = rc::sum(rc::where(texts.mask, texts.values, 0.f), rc::axis<1>);
    return std::pair(factor * rc::mean(of_one * m.w(0)), state);
  }
};

auto const key = nn::key{5};
auto const rate = nn::constant{1.f};
// how far a step of a rate of 1 goes downhill
template <class Loss, class P>
P direction(auto const& first_links, P const& params, auto const&... batch) {
  auto const o = first_links | nn::sgd{} | rate;
  auto run = nn::start(params, std::tuple<>{}, o, key);
  (void)nn::step_of<Loss{}>(o)(run, batch...);
  P d = params;
  rc::tree::for_each_leaf([](auto& to, auto const& after) { to = rc::eval(to - after); }, d, run.params);
  return d;
}

}  // namespace

TEST_CASE("clipped gradients of examples are Optax's") {
  rc::tensor<float, 5, 3> x{};
  weights<3>::params<> w{};
  for (int k = 0; k < 15; ++k) x.data()[k] = optax_table::gradients[k / 3][k % 3];
  auto const d = direction<linear_loss>(nn::clip_per_example{.7f}, w, x);
  auto const unclipped = direction<linear_loss>(nn::clip_per_example{1e6f}, w, x);
  auto const private_one = direction<linear_loss>(nn::differentially_private{.7f, 0.f}, w, x);
  rc::tensor<float, 3> const mean = rc::mean(x, rc::axis<0>);
  for (int k = 0; k < 3; ++k) {
    CHECK(d.w(k) == doctest::Approx(optax_table::clipped_per_example[k]).epsilon(1e-5));
    CHECK(private_one.w(k) == doctest::Approx(d.w(k)).epsilon(1e-6));
    CHECK(unclipped.w(k) == doctest::Approx(mean(k)).epsilon(1e-5));
  }
}

TEST_CASE("a batch is what its examples are one by one") {
  rc::ndarray<float, 2> const x = rc::random::normal<float>(key.fold(1), rc::shape(9, 2)),
                              y = rc::random::normal<float>(key.fold(2), rc::shape(9, 1));
  auto const start = nn::init<net<>>(key);
  auto expected = rc::zeros_like(start);
  double loss = 0;
  int clipped = 0;
  for (int k = 0; k < 9; ++k) {
    rc::ndarray<float, 2> const xk = x(rc::range(k, k + 1)), yk = y(rc::range(k, k + 1));
    auto const f = [](auto const& m, auto const& a, auto const& b) { return rc::mean(rc::square(m(a) - b)); };
    auto const [value, g] = rc::value_and_grad(f)(start, xk, yk);
    float const norm = std::sqrt(float(rc::tree_vdot(g, g))), scale = std::min(1.f, .8f / norm) / 9;
    clipped += norm > .8f;
    loss += double(value) / 9;
    rc::tree::for_each_leaf([&](auto& sum, auto const& d) { sum += scale * d; }, expected, g);
  }
  CHECK((clipped > 1 && clipped < 8));
  auto const check = [&](auto const& d) {
    rc::tree::for_each_leaf(
        [&](auto const& a, auto const& b) { CHECK(float(rc::max(rc::abs(rc::eval(a - b)))) < 1e-6f); }, d, expected);
  };
  check(direction<net_loss>(nn::clip_per_example{.8f}, start, x, y));
  rc::tensor<float, 9, 2> const x9 = x;
  rc::tensor<float, 9, 1> const y9 = y;
  check(direction<net_loss>(nn::clip_per_example{.8f}, start, x9, y9));
  // before an optimiser that adds up batches
  auto const o = nn::clip_per_example{.8f} | nn::every(2, nn::sgd{} | rate);
  auto run = nn::start(start, std::tuple<>{}, o, key);
  auto const step = nn::step_of<net_loss{}>(o);
  auto const part = [&](int from, int to) {
    return float(to - from) / 9 *
           step(run, rc::ndarray<float, 2>(x(rc::range(from, to))), rc::ndarray<float, 2>(y(rc::range(from, to))));
  };
  float const first = part(0, 4), second = part(4, 9);
  CHECK(first + second == doctest::Approx(loss).epsilon(1e-5));
  auto d = start;
  rc::tree::for_each_leaf([](auto& to, auto const& after) { to = rc::eval(to - after); }, d, run.params);
  check(d);
}

TEST_CASE("examples of a batch have masks of their own") {
  weights<1>::params<> w{};
  rc::tensor<float, 64, 1> const ones = rc::ones<float>(rc::extents<64, 1>{});
  float const mean = direction<dropped_loss>(nn::clip_per_example{100.f}, w, ones).w(0);  // of 64 numbers, each 0 or 2
  CHECK((mean > .4f && mean < 1.6f));
}

TEST_CASE("records and numbers in a batch") {
  auto const texts = ricci::data::ragged_of<float>({{1, 2, 3}, {.25f}, {-4, .5f}});
  weights<1>::params<> w{};
  auto const d = direction<sequence_loss>(nn::clip_per_example{2.f}, w, texts.rows({0, 1, 2}), .5f);
  CHECK(d.w(0) == doctest::Approx((2 + .125 - 1.75) / 3));  // gradients 3, .125, -1.75
}

TEST_CASE("noise of a private gradient") {
  weights<4000>::params<> w{};
  rc::tensor<float, 8, 4000> const zeros{};
  auto const o = nn::differentially_private{.norm = .5f, .noise_multiplier = 3.f} | nn::sgd{} | rate;
  auto run = nn::start(w, std::tuple<>{}, o, key);
  auto const step = nn::step_of<linear_loss{}>(o);
  (void)step(run, zeros);
  auto const first = run.params.w;
  double const deviation = std::sqrt(double(rc::mean(rc::square(first))));
  CHECK(deviation == doctest::Approx(3 * .5 / 8).epsilon(.04));  // the estimate itself has .011
  CHECK(std::abs(double(rc::mean(first))) < 4 * deviation / std::sqrt(4000));
  (void)step(run, zeros);
  auto const second = rc::eval(run.params.w - first);
  double const correlation = double(rc::mean(first * second)) / (deviation * deviation);
  CHECK(std::abs(correlation) < 4 / std::sqrt(4000));  // each step has its own
}
TEST_CASE("a loss that is infinite, with a derivative that is not, changes nothing for the others") {
  weights<1>::params<> w{};
  rc::tensor<float, 2, 1> const x{{.25f}, {std::numeric_limits<float>::infinity()}};
  auto const d = direction<beside_infinity>(nn::clip_per_example{100.f}, w, x);
  CHECK(d.w(0) == 2);  // of both examples
}
