// Noise while a model learns: which elements it takes, what mean and variance it leaves, and that each iteration of a
// loop has its own.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include <ricci/ricci.hpp>

#include <ricci/nn/noise.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {
nn::training<> const learns{nn::key(7)};
nn::inference<> const rests{};
// whether every example, or each channel of it, is 0 in all places or x / (1 - .25); how many are 0
template <class X, class Y>
int dropped_as_a_whole(X const& x, Y const& y, bool by_channel) {
  int zeros = 0;
  for (int n = 0; n < x.shape(0); ++n)
    for (int c = 0; c < x.shape(2); ++c) {
      bool const first = y(n, 0, by_channel ? c : 0) == 0;
      zeros += first && (by_channel || c == 0);
      for (int p = 0; p < x.shape(1); ++p)
        if (!(std::abs(double(y(n, p, c)) - (first ? 0 : double(x(n, p, c)) / .75)) < 1e-5)) return -1;
    }
  return zeros;
}
}  // namespace

TEST_CASE("channels and examples are dropped as a whole") {
  rc::tensor<float, 200, 3, 8> const x = 1.f + rc::random::uniform<float>(nn::key(1), rc::extents<200, 3, 8>{});
  rc::ndarray<float, 3> const y = nn::dropout_channels(x, .25f, learns), z = nn::drop_path(x, .25f, learns);
  CHECK(dropped_as_a_whole(x, y, true) == doctest::Approx(400).epsilon(.2));
  CHECK(dropped_as_a_whole(x, z, false) == doctest::Approx(50).epsilon(.4));
  rc::ndarray<float, 3> const dynamic = x;
  CHECK(bool(rc::all(nn::dropout_channels(dynamic, .25f, learns) == y)));
  CHECK(bool(rc::all(nn::drop_path(dynamic, .25f, learns) == z)));
  CHECK(bool(rc::all(nn::dropout_channels(x, .25f, rests) == x)));
  CHECK(bool(rc::all(nn::drop_path(x, .25f, rests) == x)));
  auto const traced = rc::fn([](auto const& a, auto const& mode) { return nn::drop_path(a, .25f, mode); });
  CHECK(dropped_as_a_whole(x, rc::eval(traced(dynamic, learns)), false) == doctest::Approx(50).epsilon(.4));
}
TEST_CASE("mean and variance of what noise leaves") {
  rc::ndarray<float, 1> const x = rc::random::normal<float>(nn::key(2), rc::shape(40000));
  auto const check = [](auto const& y, double mean, double variance) {
    CHECK(std::abs(double(rc::mean(y)) - mean) < .03);
    CHECK(double(rc::var(y)) == doctest::Approx(variance).epsilon(.04));
  };
  check(rc::eval(nn::alpha_dropout(x, .2f, learns)), 0, 1);  // standard normal numbers stay so
  check(rc::eval(nn::gaussian_noise(x, 2.f, learns)), 0, 1 + 4);
  check(rc::eval(nn::gaussian_dropout(rc::eval(0.f * x + 3.f), .2f, learns)), 3, 9 * .25);
  CHECK(bool(rc::all(nn::alpha_dropout(x, .2f, rests) == x)));
  CHECK(bool(rc::all(nn::gaussian_noise(x, 2.f, rests) == x)));
  CHECK(bool(rc::all(nn::gaussian_dropout(x, .2f, rests) == x)));
  // torch.nn.functional.alpha_dropout of ones, p = .2
  rc::ndarray<float, 1> const ones = rc::ones<float>(rc::shape(100)), y = nn::alpha_dropout(ones, .2f, learns);
  for (int k = 0; k < 100; ++k)
    CHECK(std::fmin(std::abs(y(k) - 1.187943458557129f), std::abs(y(k) + 1.2361598014831543f)) < 1e-5f);
}
TEST_CASE("each iteration of a loop has noise of its own, and its derivative the same") {
  auto const masks = [](auto const& x, auto const& mode) {
    auto const step = [=](auto const& sum, auto const& row) {
      auto const kept = rc::eval(nn::dropout(row, .5f, mode));
      return std::pair(rc::eval(sum + kept), kept);
    };
    return std::get<1>(rc::scan(step, rc::eval(rc::zeros_like(x(0))), x));
  };
  rc::tensor<float, 4, 64> const x = rc::ones<float>(rc::extents<4, 64>{});
  rc::tensor<float, 4, 64> const y = rc::fn(masks)(x, learns);
  for (int i = 0; i < 4; ++i) {
    CHECK(double(rc::mean(y(i))) == doctest::Approx(1).epsilon(.5));
    for (int j = 0; j < i; ++j) CHECK(bool(rc::any(y(i) != y(j))));
  }
  auto const sum = [masks](auto const& v, auto const& mode) { return rc::sum(masks(v, mode)); };
  CHECK(bool(rc::all(rc::grad(sum)(x, learns) == y)));  // 2 where it is kept
  CHECK(bool(rc::all(rc::grad(rc::fn(sum))(x, learns) == y)));
  // in a loop of loops, and in a loop whose length is a value
  auto const twice = [masks](auto const& v, auto const& mode) {
    auto const step = [=](auto const& carry, auto const&) { return std::pair(carry, masks(v, mode)); };
    return std::get<1>(rc::scan(step, rc::eval(rc::sum(v)), rc::arange<int>(3, rc::like(v))));
  };
  rc::tensor<float, 3, 4, 64> const all = rc::fn(twice)(x, learns);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < i; ++j) CHECK(bool(rc::any(all(i / 4, i % 4) != all(j / 4, j % 4))));
  auto const counted = [](auto const& v, auto const& count, auto const& mode) {
    return rc::fori_loop(
        0, count, [=](auto const&, auto const& carry) { return rc::eval(nn::dropout(carry, .5f, mode)); }, v);
  };
  rc::tensor<float, 64> const one = rc::ones<float>(rc::extents<64>{});
  rc::tensor<float, 64> const three = rc::fn(counted)(one, 3, learns);
  int kept = 0;
  for (int k = 0; k < 64; ++k) kept += three(k) == 8;
  CHECK(kept > 0);
  CHECK(kept < 20);  // of 64 about 8, with one mask 32
}
TEST_CASE("a rate is a probability") {
  rc::tensor<float, 4, 2> const x = rc::ones<float>(rc::extents<4, 2>{});
  auto const nan = std::numeric_limits<float>::quiet_NaN();
  auto const said = [](char const* function, char const* rate, char const* to) {
    return std::string("value_error: nn::") + function + ": a rate of " + rate + ", where 0 to " + to + " was expected";
  };
  CHECK(raised([&] { (void)nn::dropout(x, 1.5f, learns); }) == said("dropout", "1.5", "1"));
  CHECK(raised([&] { (void)nn::dropout(x, -.5f, learns); }) == said("dropout", "-0.5", "1"));
  CHECK(raised([&] { (void)nn::dropout(x, nan, rests); }) == said("dropout", "NaN", "1"));
  CHECK(raised([&] { (void)nn::dropout_channels(x, 1.25f, learns); }) == said("dropout_channels", "1.25", "1"));
  CHECK(raised([&] { (void)nn::drop_path(x, 2.f, learns); }) == said("drop_path", "2", "1"));
  CHECK(raised([&] { (void)nn::alpha_dropout(x, 1.f, learns); }) == said("alpha_dropout", "1", "below 1"));
  CHECK(raised([&] { (void)nn::gaussian_dropout(x, 1.f, learns); }) == said("gaussian_dropout", "1", "below 1"));
  CHECK(bool(rc::all(nn::dropout(x, 1.f, learns) == 0.f)));
  CHECK(bool(rc::all(nn::dropout(x, 0.f, learns) == x)));
  auto const g =
      rc::grad([](auto const& v, auto const& mode) { return rc::sum(nn::dropout(v, 1.f, mode)); })(x, learns);
  CHECK(bool(rc::all(g == 0.f)));
}
TEST_CASE("noise of half precision") {
  rc::ndarray<rc::bfloat16, 1> const x = rc::astype<rc::bfloat16>(rc::ones<float>(rc::shape(10000)));
  auto const mean = [](auto const& y) { return double(rc::mean(rc::astype<double>(y))); };
  CHECK(mean(rc::eval(nn::dropout(x, .25f, learns))) == doctest::Approx(1).epsilon(.03));
  CHECK(mean(rc::eval(nn::gaussian_noise(x, .5f, learns))) == doctest::Approx(1).epsilon(.03));
  CHECK(mean(rc::eval(nn::gaussian_dropout(x, .25f, learns))) == doctest::Approx(1).epsilon(.03));
  CHECK(std::isfinite(mean(rc::eval(nn::alpha_dropout(x, .25f, learns)))));
}
TEST_CASE("masks are no numbers that a program makes of the same key") {
  rc::ndarray<float, 1> const x = rc::ones<float>(rc::shape(4000));
  // how many elements of two masks are equal, of the first two dropouts and of numbers of keys of one's own
  auto const equal = [](auto const& v, auto const& mode) {
    auto const ones = [](auto const& y) { return rc::eval(rc::astype<float>(y > 0.f)); };
    auto const own = rc::random::fold_in(mode.key, 2);
    auto const keys = rc::random::split(mode.key);
    auto const a = ones(nn::dropout(v, .5f, mode)), b = ones(nn::dropout(v, .5f, mode));
    auto const drawn = [&](auto const& k) { return ones(rc::random::uniform<float>(k, rc::shape_of(v)) - .5f); };
    auto const part = [&](auto const& p, auto const& q) { return rc::eval(rc::mean(rc::astype<float>(p == q))); };
    return std::tuple(part(a, b), part(a, drawn(own)), part(a, drawn(keys[0])), part(a, drawn(keys[1])),
                      part(b, drawn(own)), part(b, drawn(keys[0])), part(b, drawn(keys[1])));
  };
  auto const check = [](auto const& part) { CHECK(float(part) == doctest::Approx(.5).epsilon(.1)); };
  std::apply([&](auto const&... part) { (check(part), ...); }, rc::fn(equal)(x, learns));
}
TEST_CASE("a checkpoint computes the same mask again, and two of them have masks of their own") {
  auto const block = [](auto const& v, auto const& key) {
    using Mode = typename std::remove_cvref_t<decltype(key)>::mode;
    return rc::eval(nn::dropout(rc::exp(v), .5f, nn::training<rc::symbols<Mode>>{key}));
  };
  auto const loss = [=](auto const& v, auto const& key) {
    auto const a = rc::eval(rc::checkpoint(block)(v, key)), b = rc::eval(rc::checkpoint(block)(v, key));
    return std::pair(rc::eval(rc::sum(a) + 10.f * rc::sum(b)), std::pair(a, b));
  };
  rc::tensor<float, 64> const zeros = rc::zeros<float>(rc::extents<64>{});
  auto const r = rc::value_and_grad(loss, rc::has_aux)(zeros, rc::tensor<std::uint64_t>(77));
  auto const& [a, b] = r.first.second;
  CHECK(bool(rc::all(r.second == a + 10.f * b)));
  CHECK(bool(rc::any(a != b)));
}
