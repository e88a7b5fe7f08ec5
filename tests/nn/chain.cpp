// Optimisers around optimisers: steps made of several batches, left out, scaled; groups of parameters; averages.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include <ricci/ricci.hpp>

#include <ricci/nn/averages.hpp>
#include <ricci/nn/groups.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/lookahead.hpp>
#include <ricci/nn/norms.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/nn/wrappers.hpp>

#include "../raised.hpp"
#include "optax_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<2, 3>, Kind> in;
  std::array<nn::layer<nn::linear<3, 1>, Kind>, 2> outs;
  constexpr auto operator()(auto const& x) const {
    auto const h = rc::tanh(in(x));
    return outs[0](h) + rc::square(outs[1](h));
  }
};
constexpr auto loss = [](auto const& m, auto state, auto const&, auto const& x, auto const& y) {
  return std::pair(rc::mean(rc::square(m(x) - y)), state);
};
template <class Kind = rc::values>
struct normed {
  nn::layer<nn::batch_norm<2>, Kind> norm;
};
template <class Kind = rc::values>
struct normed_state {
  nn::state<nn::batch_norm<2>, Kind> norm;
};
constexpr auto normed_loss = [](auto const& m, auto state, auto const& mode, auto const& x) {
  auto const y = m.norm(x, state.norm, mode);
  return std::pair(rc::mean(rc::square(y - 1.f)), state);
};
auto const key = nn::key{5};
rc::ndarray<float, 2> const x = rc::random::normal<float>(key.fold(1), rc::shape(9, 2)),
                            y = rc::random::normal<float>(key.fold(2), rc::shape(9, 1));
auto started(auto const& o) { return nn::start(nn::init<net<>>(key), std::tuple<>{}, o, key); }
float farthest(auto const& a, auto const& b) {
  float most = 0;
  rc::tree::for_each_leaf(
      [&](auto const& p, auto const& q) { most = std::fmax(most, float(rc::max(rc::abs(rc::eval(p - q))))); }, a, b);
  return most;
}
rc::ndarray<float, 2> rows(rc::ndarray<float, 2> const& all, int from, int to) { return all(rc::range(from, to)); }
auto const adam = nn::adam{} | nn::cosine_decay{.1f, 10};

}  // namespace

TEST_CASE("a step of several batches is that of one large batch") {
  auto const o = nn::every(3, nn::clip_by_global_norm{.5f} | adam);
  auto whole = started(nn::clip_by_global_norm{.5f} | adam);
  auto parts = started(o);
  auto const step = nn::step_of<loss>(nn::clip_by_global_norm{.5f} | adam);
  auto const part = nn::step_of<loss>(o);
  for (int k = 0; k < 3; ++k) {
    step(whole, x, y);
    auto const before = parts.params;
    part(parts, rows(x, 0, 2), rows(y, 0, 2));
    part(parts, rows(x, 2, 5), rows(y, 2, 5));
    CHECK(farthest(parts.params, before) == 0);
    part(parts, rows(x, 5, 9), rows(y, 5, 9));
    CHECK(farthest(parts.params, before) > .01f);
    CHECK(farthest(parts.params, whole.params) < 1e-5f);
  }
  CHECK(raised([&] { (void)nn::every(0, adam); }) ==
        "value_error: nn::every: a step is made of 0 batches, and needs at least 1");
}

TEST_CASE("the moments of weights without gradients end at 0, and not at subnormal numbers") {
  auto run = started(adam);
  auto const step = nn::step_of<loss>(adam);
  step(run, x, y);
  rc::ndarray<float, 2> const nothing = rc::zeros<float>(rc::shape(9, 2));
  for (int k = 0; k < 1000; ++k) step(run, nothing, y);
  int numbers = 0, subnormal = 0;
  rc::tree::for_each_leaf(
      [&](auto const& m) {
        for (rc::index_t k = 0; k < m.size(); ++k) {
          ++numbers;
          subnormal += std::fpclassify(float(m.data()[k])) == FP_SUBNORMAL;
        }
      },
      std::get<0>(run.optimiser));
  CHECK(numbers == 34);
  CHECK((subnormal == 0 || !RICCI_HAS_MXCSR));
}

TEST_CASE("a gradient that is not finite changes nothing") {
  auto const o = nn::skip_nonfinite(adam);
  auto run = started(o);
  auto plain = started(adam);
  auto const step = nn::step_of<loss>(o);
  auto const plain_step = nn::step_of<loss>(adam);
  rc::ndarray<float, 2> bad = x;
  for (int k = 0; k < 3; ++k) {
    bad(3, 1) = k == 1 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(step(run, bad, y)) == (k != 1));  // of an infinite input the derivative alone is none
    CHECK(step(run, x, y) == plain_step(plain, x, y));
    CHECK(farthest(run.params, plain.params) == 0);
  }
  CHECK(std::get<0>(run.optimiser).first.item() == 3);
}

TEST_CASE("groups of parameters by their names") {
  static_assert(nn::names::matches("*.w", "blocks.10.up.w", 14));
  static_assert(nn::names::matches("in.b|blocks.*.w", "blocks.10.up.w", 14));
  static_assert(!nn::names::matches("blocks.*.b|w|blocks", "blocks.10.up.w", 14));
  static_assert(nn::names::matches("*", "w", 1) && !nn::names::matches("", "w", 1));
  auto const o = nn::groups(nn::on<"outs.1.*">(nn::set_to_zero{}), nn::on<"*.b">(nn::sgd{} | nn::constant{.1f}),
                            nn::on<"*">(adam));
  auto run = started(o);
  auto by_sgd = started(nn::sgd{} | nn::constant{.1f});
  auto by_adam = started(adam);
  auto const first = run.params;
  nn::step_of<loss>(o)(run, x, y);
  nn::step_of<loss>(nn::sgd{} | nn::constant{.1f})(by_sgd, x, y);
  nn::step_of<loss>(adam)(by_adam, x, y);
  CHECK(farthest(run.params.outs[1], first.outs[1]) == 0);
  CHECK(farthest(run.params.in.b, by_sgd.params.in.b) < 1e-7f);
  CHECK(farthest(run.params.outs[0].b, by_sgd.params.outs[0].b) < 1e-7f);
  CHECK(farthest(run.params.in.w, by_adam.params.in.w) < 1e-7f);
  CHECK(farthest(run.params.outs[0].w, by_adam.params.outs[0].w) < 1e-7f);
  CHECK(farthest(by_sgd.params.in.b, by_adam.params.in.b) > 1e-3f);
}

TEST_CASE("a link for a group alone") {
  auto const rate = nn::constant{.1f};
  auto const o = nn::sgd{} | nn::on<"*.w">(nn::add_decayed_weights{.5f}) | rate;
  auto run = started(o);
  auto plain = started(nn::sgd{} | rate);
  run.params.in.b = 1.f, plain.params.in.b = 1.f;
  auto const w = run.params.in.w;
  nn::step_of<loss>(o)(run, x, y);
  nn::step_of<loss>(nn::sgd{} | rate)(plain, x, y);
  CHECK(farthest(run.params.in.b, plain.params.in.b) < 1e-7f);
  CHECK(farthest(run.params.in.w, rc::eval(plain.params.in.w - .05f * w)) < 1e-6f);
}

TEST_CASE("an average of the parameters") {
  auto const o = adam | nn::params_ema{.9f};
  auto run = started(o);
  auto const step = nn::step_of<loss>(o);
  rc::tensor<float, 2, 3> mean = run.params.in.w;
  for (int k = 0; k < 4; ++k) {
    step(run, x, y);
    mean = .9f * mean + .1f * run.params.in.w;
  }
  CHECK(farthest(nn::ema_of(o, run).in.w, mean) < 1e-6f);
  CHECK(farthest(run.params.in.w, mean) > .01f);
}

TEST_CASE("a scale of the loss is halved and doubled, and does not change the step") {
  auto const o = nn::scaled(adam, {.initial = 1024, .period = 2});
  auto run = started(o);
  auto plain = started(adam);
  auto const step = nn::step_of<loss>(o);
  auto const plain_step = nn::step_of<loss>(adam);
  rc::ndarray<float, 2> bad = x;
  bad(0, 0) = std::numeric_limits<float>::quiet_NaN();
  step(run, bad, y);
  auto const scale = [&] { return std::get<0>(std::get<0>(run.optimiser)).item(); };
  CHECK(scale() == 512);
  CHECK(farthest(run.params, plain.params) == 0);
  for (float const expected : {512.f, 1024.f, 1024.f}) {
    CHECK(step(run, x, y) == doctest::Approx(plain_step(plain, x, y)));
    CHECK(scale() == expected);
    CHECK(farthest(run.params, plain.params) < 1e-5f);
  }
}

TEST_CASE("centred gradients, as Optax has them, and noise") {
  auto const whole = rc::fn([](auto const& g) {
    return nn::centralize::update(std::tuple{}, std::tuple(g, rc::sum(g, rc::axis<0>)), std::tuple{}, 0, 0).first;
  });
  rc::tensor<float, 5, 3> g;
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 3; ++j) g(k, j) = optax_table::gradients[k][j];
  auto const [matrix, vector] = whole(g);
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 3; ++j) CHECK(matrix(k, j) == doctest::Approx(optax_table::centralized[k][j]).epsilon(1e-5));
  CHECK(farthest(vector, rc::eval(rc::sum(g, rc::axis<0>))) == 0);

  auto const noise = rc::fn([](auto const& d, auto const& h, auto const& step) {
    return nn::add_noise::update(h, std::pair(d, d), std::tuple{}, 0, step).first;
  });
  rc::tensor<float, 10000> const none{};
  auto const [a, b] = noise(none, nn::add_noise{4.f, .5f, 3}, std::int64_t(15));
  CHECK(float(rc::mean(rc::square(a))) == doctest::Approx(1.).epsilon(.05));
  CHECK(std::abs(float(rc::mean(a))) < .04f);
  CHECK(std::abs(float(rc::mean(a * b))) < .04f);
  auto const again = noise(none, nn::add_noise{4.f, .5f, 3}, std::int64_t(15));
  CHECK(farthest(a, again.first) == 0);
}
TEST_CASE("a step that is left out leaves the state, too") {
  auto const check = [](auto const& o) {
    auto run = nn::start(nn::init<normed<>>(key), nn::init<normed_state<>>(key), o, key);
    auto const step = nn::step_of<normed_loss>(o);
    rc::ndarray<float, 2> bad = x;
    (void)step(run, x);
    auto const params = run.params;
    auto const state = run.state;
    CHECK(bool(rc::all(state.norm.mean != 0.f)));
    bad(0, 0) = std::numeric_limits<float>::quiet_NaN();
    (void)step(run, bad);
    CHECK(farthest(run.state, state) == 0);
    CHECK(farthest(run.params, params) == 0);
    (void)step(run, x);
    CHECK(farthest(run.state, state) > 0);
    CHECK(bool(rc::all(rc::isfinite(run.state.norm.mean))));
  };
  check(nn::skip_nonfinite(adam));
  check(nn::scaled(adam, {.initial = 1}));
  check(nn::lookahead(nn::skip_nonfinite(adam)));
  check(nn::groups(nn::on<"*">(nn::skip_nonfinite(adam))));
}
TEST_CASE("nor does a batch of several that spoils their step") {
  auto const o = nn::every(2, nn::skip_nonfinite(adam));
  auto run = nn::start(nn::init<normed<>>(key), nn::init<normed_state<>>(key), o, key);
  auto const step = nn::step_of<normed_loss>(o);
  auto const params = run.params;
  rc::ndarray<float, 2> bad = x;
  bad(0, 0) = std::numeric_limits<float>::quiet_NaN();
  (void)step(run, bad);
  CHECK(bool(rc::all(rc::isfinite(run.state.norm.mean))));
  (void)step(run, x);
  CHECK(farthest(run.params, params) == 0);
  (void)step(run, x);
  (void)step(run, x);
  CHECK(farthest(run.params, params) > 0);
  CHECK(bool(rc::all(rc::isfinite(run.state.norm.mean))));
}
TEST_CASE("a scale grows up to 2^100") {
  auto const o = nn::scaled(nn::sgd{} | nn::constant{1e-3f}, {.initial = 0x1p98f, .period = 1});
  auto run = started(o);
  auto const step = nn::step_of<loss>(o);
  for (int k = 0; k < 5; ++k) (void)step(run, x, y);
  CHECK(float(std::get<0>(std::get<0>(run.optimiser))) == 0x1p100f);
  CHECK(std::int64_t(std::get<2>(std::get<0>(run.optimiser))) == 0);
}
