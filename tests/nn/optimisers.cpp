// Five steps of each optimiser with given gradients, and rates of schedules, as Optax (optax_table.py) and PyTorch
// (torch_schedules.py) have them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <ricci/ricci.hpp>

#include <ricci/nn/averages.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/groups.hpp>
#include <ricci/nn/lookahead.hpp>
#include <ricci/nn/matrix_optimisers.hpp>
#include <ricci/nn/observers.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/plateau.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/wrappers.hpp>

#include "../raised.hpp"
#include "optax_table.hpp"
#include "torch_schedules.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using vector = rc::tensor<float, 3>;
vector of(float const (&x)[3]) { return {x[0], x[1], x[2]}; }

template <class Links>
struct one_step {
  constexpr auto operator()(auto const& h, auto const& w, auto const& g, auto const& memory, auto const& step) const {
    auto const [d, next] = nn::updated(static_cast<Links*>(nullptr), h, g, memory, w, step);
    return std::tuple(w + d, next);
  }
};
template <class O, class X>
X after_five(O const& optimiser, X w, auto const& gradient) {
  auto const links = nn::links_of(optimiser);
  auto memory = [&]<class... L>(std::tuple<L...> const&) {
    return std::tuple<decltype(nn::memory_of<L>(w))...>(nn::memory_of<L>(w)...);
  }(links);
  auto const step = rc::fn(one_step<std::remove_const_t<decltype(links)>>{});
  for (int k = 0; k < 5; ++k) {
    auto const [next, m] = step(links, w, gradient(k), memory, std::int64_t(k));
    w = next;
    memory = m;
  }
  return w;
}
template <class X>
bool are_near(X const& a, X const& b) {
  return bool(rc::all(rc::abs(a - b) <= 2e-6f * (1.f + rc::abs(b))));
}
template <class O>
bool agrees(O const& optimiser, float const (&expected)[3]) {
  auto const w = after_five(optimiser, of(optax_table::start), [](int k) { return of(optax_table::gradients[k]); });
  return are_near(w, of(expected));
}
// of a matrix, and of the same one transposed
using matrix = rc::tensor<float, 2, 3>;
matrix matrix_of(float const (&x)[6]) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }
template <class O>
bool agrees(O const& optimiser, float const (&expected)[6], float const (&expected_turned)[6]) {
  auto const gradient = [](int k) { return matrix_of(optax_table::matrix_gradients[k]); };
  auto const w = after_five(optimiser, matrix_of(optax_table::matrix_start), gradient);
  rc::ndarray<float, 2> const start = matrix_of(optax_table::matrix_start).T();
  auto const turned = after_five(optimiser, start, [&](int k) { return rc::ndarray<float, 2>(gradient(k).T()); });
  rc::ndarray<float, 2> of_table(3, 2);
  for (int k = 0; k < 6; ++k) of_table.data()[k] = expected_turned[k];
  return are_near(w, matrix_of(expected)) && are_near(turned, of_table);
}
template <class R, std::size_t N>
bool follows(R const& schedule, float const (&expected)[N]) {
  bool all = true;
  for (std::size_t k = 0; k < N; ++k) {
    auto const rate = rc::fn([](auto const& h, auto const& step) { return R::rate(h, step); });
    float const at = static_cast<float>(rate(schedule, std::int64_t(optax_table::steps[k])));
    all = all && std::abs(at - expected[k]) <= 1e-6f;
  }
  return all;
}

template <class T>
concept MadeOfNothing = requires {
  T{};
};
template <class... T>
inline constexpr bool none_made_of_nothing = !(MadeOfNothing<T> || ...);

}  // namespace

TEST_CASE("optimisers take Optax's steps") {
  auto const rate = nn::constant{.1f};
  CHECK(agrees(nn::sgd{} | rate, optax_table::sgd));
  CHECK(agrees(nn::momentum{} | rate, optax_table::momentum));
  CHECK(agrees(nn::nesterov{} | rate, optax_table::nesterov));
  CHECK(agrees(nn::rmsprop{} | rate, optax_table::rmsprop));
  CHECK(agrees(nn::adagrad{} | rate, optax_table::adagrad));
  CHECK(agrees(nn::adadelta{} | rate, optax_table::adadelta));
  CHECK(agrees(nn::adam{} | rate, optax_table::adam));
  CHECK(agrees(nn::adam{} | nn::add_decayed_weights{.01f} | rate, optax_table::adamw));
  CHECK(agrees(nn::adamax{} | rate, optax_table::adamax));
  CHECK(agrees(nn::nadam{} | rate, optax_table::nadam));
  CHECK(agrees(nn::amsgrad{} | rate, optax_table::amsgrad));
  CHECK(agrees(nn::lion{} | rate, optax_table::lion));
  CHECK(agrees(nn::radam{.b2 = .95f, .threshold = 4.5f} | rate, optax_table::radam));
  auto const decay = nn::add_decayed_weights{.01f};
  CHECK(agrees(nn::adam{.eps = 1e-6f} | decay | nn::trust_ratio{} | rate, optax_table::lamb));
  CHECK(agrees(decay | nn::trust_ratio{.001f} | nn::cosine_decay{5.f, 20, .1f} | nn::momentum{}, optax_table::lars));
  CHECK(agrees(nn::rprop{.1f}, torch_schedules::rprop));
  CHECK(agrees(nn::clip{.5f} | nn::sgd{} | rate, optax_table::clipped));
  CHECK(agrees(nn::clip_by_global_norm{1.f} | nn::sgd{} | rate, optax_table::clipped_by_norm));
  CHECK(agrees(nn::lookahead(nn::adam{} | rate, {.period = 2, .part = .5f}), optax_table::lookahead));
  CHECK_FALSE(agrees(nn::sgd{} | nn::constant{.2f}, optax_table::sgd));
}

TEST_CASE("optimisers of matrices take Optax's steps") {
  auto const rate = nn::constant{.1f};
  CHECK(agrees(nn::adafactor{} | rate, optax_table::adafactor, optax_table::adafactor_turned));
  CHECK(agrees(nn::adafactor{} | rate, optax_table::adafactor_of_vector));
  CHECK(agrees(nn::muon{} | rate, optax_table::muon, optax_table::muon_turned));
  CHECK(
      agrees(nn::adaptive_clip{.2f} | nn::sgd{} | rate, optax_table::adaptive_clip, optax_table::adaptive_clip_turned));
  CHECK_FALSE(agrees(nn::adafactor{.power = .7f} | rate, optax_table::adafactor, optax_table::adafactor_turned));
  // what is remembered of a matrix is its rows and columns
  using memory = decltype(nn::adafactor::init(std::tuple<matrix, vector>{}));
  static_assert(std::is_same_v<memory, std::tuple<std::pair<rc::tensor<float, 2>, rc::tensor<float, 3>>, vector>>);
}

TEST_CASE("the exponentiated gradient keeps sums of rows") {
  auto const gradient = [](int) { return matrix{{0, 100, -1}, {1, 1, 1}}; };
  matrix const start{{.5f, .25f, .25f}, {1, 2, 3}};
  auto const w = after_five(nn::sgd{} | nn::constant{.1f} | nn::exponentiated_gradient{}, start, gradient);
  float const a = .5f, c = .25f * std::exp(.5f), sum = a + c;  // five steps of .1
  CHECK(are_near(w, matrix{{a / sum, 0, c / sum}, {1, 2, 3}}));
}

TEST_CASE("a period of no steps is an error") {
  CHECK(raised([] { (void)nn::lookahead(nn::sgd{} | nn::constant{.1f}, {.period = 0}); }) ==
        "value_error: nn::lookahead: a period of 0 steps, where at least 1 was expected");
}

TEST_CASE("schedules have Optax's rates") {
  CHECK(follows(nn::exponential_decay{.5f, 10, .3f}, optax_table::exponential_decay));
  CHECK(follows(nn::step_decay{.5f, 10, .3f}, optax_table::step_decay));
  CHECK(follows(nn::polynomial_decay{.init = .5f, .end = .1f, .power = 2, .steps = 20}, optax_table::polynomial_decay));
  CHECK(follows(nn::cosine_decay{.5f, 20, .1f}, optax_table::cosine_decay));
  CHECK(follows(nn::warmup_cosine{.peak = .5f, .warmup = 8, .total = 30, .end = .05f}, optax_table::warmup_cosine));
  CHECK(follows(nn::one_cycle{.5f, 30}, optax_table::one_cycle));
  CHECK(follows(nn::join(nn::polynomial_decay{.init = 0, .end = .5f, .power = 1, .steps = 8}, 8,
                         nn::join(nn::constant{.5f}, 2, nn::cosine_decay{.5f, 20})),
                optax_table::joined));
}

TEST_CASE("schedules have PyTorch's rates") {
  CHECK(follows(nn::cyclical{.1f, .5f, 5}, torch_schedules::triangular));
  CHECK(follows(nn::cyclical{.1f, .5f, 5, .5f}, torch_schedules::triangular2));
  CHECK(follows(nn::cosine_restarts{.5f, 7, 1, .05f}, torch_schedules::restarts));
  CHECK(follows(nn::cosine_restarts{.5f, 9, 2, .05f}, torch_schedules::restarts_doubled));
  CHECK(follows(nn::noam{512, 8, 2}, torch_schedules::noam));
}

TEST_CASE("parts of a schedule that have no step") {
  // at the steps 0, 1, 7, 9, 10, 19, 25, 40 of the table
  CHECK(follows(nn::warmup_cosine{.peak = 1, .warmup = 10, .total = 10, .end = .5f},
                {0, .1f, .7f, .9f, .5f, .5f, .5f, .5f}));
  CHECK(follows(nn::cosine_decay{.init = 1, .steps = 0, .least = .5f}, {.5f, .5f, .5f}));
  CHECK(follows(nn::polynomial_decay{.init = 1, .end = .5f, .power = 1, .steps = 0}, {.5f, .5f, .5f}));
  CHECK(follows(nn::one_cycle{.peak = 1, .steps = 1, .rise = 1, .div = 2, .final_div = 2}, {.5f, .25f, .25f, .25f}));
}

TEST_CASE("a rate is reduced where the measure rises no more") {
  auto const step = rc::fn(one_step<std::tuple<nn::sgd, nn::constant, nn::plateau_factor>>{});
  auto const links = nn::links_of(nn::sgd{} | nn::constant{1.f} | nn::plateau_factor{});
  vector const none{}, g{1, 2, 3};
  struct {
    decltype(nn::memories_of(&links, none)) optimiser;
  } run{nn::memories_of(&links, none)};
  auto const observer = nn::reduce_on_plateau{.factor = .5f, .patience = 1, .least_gain = .1f, .least = .2f};
  for (std::size_t k = 0; k < std::size(torch_schedules::measures); ++k) {
    CHECK(observer.epoch(run, 0, torch_schedules::measures[k]));
    auto const [w, memory] = step(links, none, g, run.optimiser, std::int64_t(k));
    run.optimiser = memory;
    CHECK(float(w(1)) == doctest::Approx(-2 * torch_schedules::plateau[k]));
  }
  struct {
    std::tuple<int> optimiser;
  } other{};
  CHECK(raised([&] { observer.epoch(other, 0, 1); }) ==
        "value_error: nn::reduce_on_plateau: nn::plateau_factor is no link of the run's optimiser");
}

TEST_CASE("numbers without a default are not left out") {
  static_assert(
      none_made_of_nothing<nn::clip_by_global_norm, nn::clip, nn::add_noise, nn::constant, nn::warmup_cosine,
                           nn::exponential_decay, nn::step_decay, nn::polynomial_decay, nn::cosine_decay, nn::one_cycle,
                           nn::cyclical, nn::cosine_restarts, nn::noam, nn::early_stopping, nn::fit_options>);
  static_assert(MadeOfNothing<nn::adam> && MadeOfNothing<nn::momentum> && MadeOfNothing<nn::reduce_on_plateau>);
  constexpr nn::one_cycle rate{.peak = .5f, .steps = 30, .div = 10};
  static_assert(rate.peak == .5f && 2 * rate.steps == 60 && rate.div == 10);
  constexpr auto all = nn::links_of(nn::clip{.bound = 2} | nn::sgd{} | rate);
  static_assert(std::get<0>(all).bound == 2 && std::get<2>(all).rise == .3f);
  // a schedule is a function outside of traces, too
  rc::tensor<std::int64_t> const second = 2;
  auto const at = nn::cosine_decay::rate(nn::cosine_decay{.init = 2, .steps = 4}, second);
  CHECK(float(at) == doctest::Approx(1));
  CHECK(float(nn::constant::rate(nn::constant{.5f}, 2)) == .5f);
  // in trees they are numbers
  auto bounded = nn::clip{2};
  rc::tree::for_each_leaf([](float& x) { x *= 2; }, bounded);
  CHECK(bounded.bound == 4);
  static_assert(rc::tree::count_leaves<nn::one_cycle>() == 5);
}

TEST_CASE("early stopping after a measure that is NaN") {
  auto observer = nn::early_stopping{2}.of<int>();
  CHECK(observer.epoch(0, 0, std::numeric_limits<float>::quiet_NaN()));
  CHECK(observer.epoch(1, 0, .5f));
  CHECK(observer.epoch(2, 0, std::numeric_limits<float>::quiet_NaN()));
  CHECK_FALSE(observer.epoch(3, 0, .4f));
  int run = 3;
  observer.finish(run);
  CHECK(run == 1);
}

TEST_CASE("schedules of no steps") {
  auto const at = [](auto const& schedule, std::int64_t step) {
    using R = std::remove_cvref_t<decltype(schedule)>;
    return static_cast<float>(rc::fn([](auto const& h, auto const& k) { return R::rate(h, k); })(schedule, step));
  };
  for (std::int64_t const k : {0, 1, 9}) {  // those with an end are at it
    CHECK(at(nn::polynomial_decay{.init = 1, .end = .25f, .power = 1, .steps = 0}, k) == .25f);
    CHECK(at(nn::cosine_decay{.init = 2, .steps = 0, .least = .5f}, k) == doctest::Approx(1));
    CHECK(at(nn::warmup_cosine{.peak = 1, .warmup = 0, .total = 0, .end = .5f}, k) == doctest::Approx(.5));
    CHECK(at(nn::one_cycle{.peak = 1, .steps = 0, .div = 10, .final_div = 10}, k) == doctest::Approx(.01));
  }
  CHECK(at(nn::warmup_cosine{.peak = 1, .warmup = 5, .total = 5}, 5) == doctest::Approx(0));
  CHECK(at(nn::noam{.width = 16, .warmup = 0}, 3) == doctest::Approx(.125));
  constexpr auto loss = [](auto const& w, auto const& s, auto const&) { return std::pair(rc::sum(w * w), s); };
  auto const error = [&](auto const& optimiser) { return raised([&] { (void)nn::step_of<loss>(optimiser); }); };
  CHECK(error(nn::sgd{} | nn::exponential_decay{.init = 1, .steps = 0, .factor = .5f}) ==
        "value_error: nn::exponential_decay: a number above 0 was expected as .steps");
  CHECK(error(nn::sgd{} | nn::step_decay{.init = 1, .steps = std::numeric_limits<float>::quiet_NaN(), .factor = .5f}) ==
        "value_error: nn::step_decay: a number above 0 was expected as .steps");
  CHECK(error(nn::sgd{} | nn::cyclical{.least = .1f, .most = 1, .half = 0}) ==
        "value_error: nn::cyclical: a number above 0 was expected as .half");
  CHECK(error(nn::sgd{} | nn::noam{.width = 0, .warmup = 4}) ==
        "value_error: nn::noam: a number above 0 was expected as .width");
  // a learning rate where a decay stands
  CHECK(
      error(nn::adam{1e-3f} | nn::constant{1e-3f}) ==
      "value_error: nn::adam: a decay is 0, or from .05 to below 1; a learning rate is a link of its own: nn::adam{} | "
      "nn::constant{1e-3f}");
  CHECK(error(nn::rmsprop{1e-2f} | nn::constant{1e-3f}).starts_with("value_error: nn::rmsprop: a decay is 0"));
  CHECK(error(nn::lion{.b2 = 1} | nn::constant{1e-3f}).starts_with("value_error: nn::lion: a decay is 0"));
  CHECK(error(nn::adam{.b1 = 0} | nn::constant{1e-3f}).empty());
  auto const restarts = nn::cosine_restarts{.init = 1, .steps = 0};
  std::string const expected = "value_error: nn::cosine_restarts: a number above 0 was expected as .steps";
  CHECK(error(nn::every(3, nn::adam{} | nn::join(nn::constant{1.f}, 10, restarts))) == expected);
  CHECK(error(nn::groups(nn::on<"*">(nn::adam{} | restarts))) == expected);
  CHECK(error(nn::adam{} | nn::join(nn::constant{1.f}, 10, nn::cosine_decay{1.f, 0.f})).empty());
}
TEST_CASE("numbers that are of no use are told by step_of") {
  auto const said = [](auto const& o) { return raised([&] { nn::check_numbers(o); }); };
  auto const rate = nn::constant{.1f};
  CHECK(said(nn::muon{.02f} | rate).find("value_error: nn::muon: a decay is 0, or from .05 to below 1") == 0);
  CHECK(said(nn::muon{} | rate) == "");
  CHECK(said(nn::sgd{} | rate | nn::params_ema{1.5f}) ==
        "value_error: nn::params_ema: a decay of 1.5, where 0 to below 1 was expected");
  CHECK(said(nn::clip_by_global_norm{-1.f} | nn::sgd{} | rate) ==
        "value_error: nn::clip_by_global_norm: a norm of -1, where a number above 0 was expected");
  CHECK(said(nn::skip_nonfinite(nn::clip_by_global_norm{0.f} | nn::sgd{} | rate)) ==
        "value_error: nn::clip_by_global_norm: a norm of 0, where a number above 0 was expected");
  CHECK(said(nn::clip{-2.f} | nn::sgd{} | rate) ==
        "value_error: nn::clip: a bound of -2, where a number above 0 was expected");
  CHECK(said(nn::adagrad{0, 0} | rate) ==
        "value_error: nn::adagrad: a sum of initial and eps of 0, where a number above 0 was expected");
  CHECK(said(nn::sgd{} | nn::cosine_restarts{1, 10, .5f}) ==
        "value_error: nn::cosine_restarts: a factor of 0.5, where 1 or more was expected");
}
TEST_CASE("restarts come at their step, also after a million") {
  auto const at = [](std::int64_t step) {
    auto const rate = [](auto const& n) {
      return rc::eval(nn::cosine_restarts::rate(std::tuple(1.f, 100.f, 2.f, 0.f), n));
    };
    return float(rc::fn(rate)(rc::tensor<std::int64_t>(step)));
  };
  for (std::int64_t const end : {100, 300, 700, 204700, 1638300, 104857500}) {
    CAPTURE(end);
    CHECK(at(end) == 1);
    CHECK(at(end - 1) < 1e-3f);
  }
}
TEST_CASE("the norm of gradients in half precision does not overflow") {
  auto const clipped = [](auto const& g) {
    return nn::clip_by_global_norm::update(std::tuple(1.f), g, std::tuple<>{}, g, 0).first;
  };
  rc::tensor<rc::float16, 400> const g = rc::full<rc::float16>(rc::extents<400>{}, rc::float16(16));
  rc::tensor<rc::float16, 400> const d = rc::fn(clipped)(g);
  CHECK(float(d(0)) == doctest::Approx(.05).epsilon(1e-2));
}
