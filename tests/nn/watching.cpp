// A picture of a training, the source of a NaN, a rate that is found, and random search.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <ricci/ricci.hpp>

#include <ricci/nn/curve.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/nan_source.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/search.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

constexpr auto loss = [](auto const& m, auto state, auto const&, auto const& x, auto const& y) {
  return std::pair(rc::mean(rc::square(m(x) - y)), state);
};
struct examples {
  rc::ndarray<float, 2> x, y;
};

template <class Kind = rc::values>
struct one_number {
  rc::field<Kind, float, 1> w;
};
constexpr auto loss_below_0 = [](auto const& m, auto state, auto const&, auto const& x) {
  return std::pair(rc::mean(rc::square(m.w - x)) - 10.f, state);
};
constexpr auto loss_of_nothing = [](auto const& m, auto state, auto const&) {
  return std::pair(rc::mean(rc::square(m.w - 1.f)), state);
};

}  // namespace

TEST_CASE("a curve is written after each epoch") {
  auto const path = (std::filesystem::temp_directory_path() / "ricci_nn_curve.svg").string();
  auto observer = nn::curve{path}.of<int>();
  float const nan = std::numeric_limits<float>::quiet_NaN();
  for (auto const& [l, m] : {std::pair(3.f, .5f), std::pair(1.f, nan), std::pair(2.f, .75f)})
    CHECK(observer.epoch(0, l, m));
  std::ostringstream s;
  s << std::ifstream(path).rdbuf();
  CHECK(s.str().find("points=\"70.00,20.00 320.00,320.00 570.00,170.00 \"") != std::string::npos);
  CHECK(s.str().find("points=\"70.00,320.00 570.00,20.00 \"") != std::string::npos);
  CHECK(s.str().find(">0.75<") != std::string::npos);
  CHECK(s.str().find("3 epochs") != std::string::npos);
  CHECK(s.str().ends_with("</svg>\n"));
  std::filesystem::remove(path);
  auto nowhere = nn::curve{"/nowhere/x.svg"}.of<int>();
  CHECK_THROWS_AS(nowhere.epoch(0, 1, 1), rc::io_error);
}

TEST_CASE("the operation that made a NaN is named") {
  auto const f = [](auto const& x, auto const& y) { return rc::sum(rc::log(x) / rc::exp(y) * 0.f); };
  rc::tensor<float, 2> const good{1, 2};
  CHECK(nn::nan_source(f, good, good) == "");
  CHECK(nn::nan_source(f, rc::tensor<float, 2>{1, -1}, good).find("log, value") == 0);
  auto const overflow = nn::nan_source(f, rc::tensor<float, 2>{0, 1}, good);
  CHECK(overflow.find("multiply, value") == 0);
  CHECK(overflow.find("(2) made a NaN; before it log, value") != std::string::npos);
  CHECK(nn::nan_source(f, good, rc::tensor<float, 2>{0, std::nanf("")}) == "argument 1 has a NaN");

  auto const o = nn::adam{} | nn::constant{1e-3f};
  auto const run = nn::start(nn::init<nn::layer<nn::linear<2, 1>>>(nn::key{1}), std::tuple<>{}, o, nn::key{1});
  rc::tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  rc::tensor<float, 3, 1> const y{{1}, {2}, {3}};
  CHECK(nn::nan_source_of<loss>(o, run, x, y) == "");
  x(1, 1) = std::numeric_limits<float>::infinity();
  CHECK(nn::nan_source_of<loss>(o, run, x, y).find("made a NaN") != std::string::npos);
}

TEST_CASE("a rate is found at which the loss falls, and those that are too large are not") {
  nn::key const k{3};
  examples all;
  all.x = rc::random::normal<float>(k, rc::shape(64, 2));
  all.y = rc::eval(all.x(rc::all, rc::range(0, 1)) * 2.f - 1.f);
  auto const o = nn::sgd{} | nn::constant{0};
  auto const run = nn::start(nn::init<nn::layer<nn::linear<2, 1>>>(k), std::tuple<>{}, o, k);
  auto const c =
      nn::find_rate<loss>(run, nn::sgd{}, all, {.least = 1e-4f, .most = 100, .steps = 60, .batch = {.size = 16}});
  CHECK(c.rates.size() < 60);  // it does not go on where the loss grows: beyond 2 / the largest curvature, near 1
  CHECK(c.rates.size() == c.losses.size());
  CHECK(c.rates[0] == doctest::Approx(1e-4));
  CAPTURE(c.suggested);
  CHECK((c.suggested > 3e-3f && c.suggested < 1.5f));
  CHECK(raised([&] {
          (void)nn::find_rate<loss>(run, nn::sgd{}, all, {.least = 1, .most = 1, .batch = {.size = 16}});
        }) == "value_error: nn::find_rate: 0 < least < most, and more than 2 steps");
}

TEST_CASE("random search draws within its bounds, keeps the best, and draws it again") {
  int calls = 0;
  auto const f = [&](nn::trial& t) {
    ++calls;
    double const rate = t.log_uniform("rate", 1e-4, 1e-1), part = t.uniform("part", -2, 3);
    auto const layers = t.integer("layers", 1, 3);
    CHECK((rate >= 1e-4 && rate <= 1e-1 && part >= -2 && part <= 3 && layers >= 1 && layers <= 3));
    if (calls == 1) return std::nan("");
    return -std::abs(std::log10(rate) + 2) - double(layers);
  };
  auto const r = nn::random_search(60, nn::key{5}, f);
  CHECK(calls == 60);
  CHECK(r.best.values()[0].first == "rate");
  CHECK(std::abs(std::log10(r.best.values()[0].second) + 2) < .3);
  CHECK(r.best.values()[2].second == 1);
  nn::trial again(r.best.key());
  CHECK(f(again) == r.measure);
  nn::trial one(nn::key{9});
  rc::ndarray<double, 1> const number = rc::random::uniform<double>(nn::key{9}.fold(0), rc::shape(1));
  CHECK(one.uniform("x", 0, 1) == number(0));
  CHECK(raised([&] { (void)nn::random_search(0, nn::key{5}, f); }) ==
        "value_error: nn::random_search: at least one trial is needed");
}
TEST_CASE("a rate for losses below zero, for a data set that is a tensor; a step without tensors; bounds that fall") {
  nn::key const k{3};
  rc::ndarray<float, 1> const x = rc::ones<float>(rc::shape(64));
  auto const o = nn::sgd{} | nn::constant{.1f};
  auto run = nn::start(one_number<>{}, std::tuple<>{}, o, k);
  auto const c =
      nn::find_rate<loss_below_0>(run, nn::sgd{}, x, {.least = 1e-3f, .most = 1, .steps = 50, .batch = {.size = 8}});
  CHECK(c.rates.size() == 50);
  CHECK(c.suggested > .01f);
  CHECK(nn::step_of<loss_of_nothing>(o)(run) == 1);
  CHECK(float(run.params.w(0)) == doctest::Approx(.2));
  nn::trial t(k);
  CHECK(raised([&] { (void)t.integer("n", 5, 3); }) == "value_error: nn::trial: an integer from 5 to 3");
}
