// Sequences that are searched for and drawn, beside all of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <ricci/ricci.hpp>

#include <ricci/nn/decode.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {
// the logarithms of the probabilities of the next of three tokens depend on the last two; token 0 is the end
rc::tensor<double, 3> log_p_of(int before, std::int64_t token) {
  rc::tensor<double, 3> const s =
      rc::random::normal<double>(nn::key(40).fold(before).fold(int(token)), rc::extents<3>{});
  return s - rc::logsumexp(s);
}
auto const next = [](int before, std::int64_t token) { return std::pair(log_p_of(before, token), int(token)); };

void all_from(std::vector<nn::beam>& to, nn::beam const& b, int before, std::int64_t token, int longest, double power) {
  auto const p = log_p_of(before, token);
  for (std::int64_t t = 0; t < 3; ++t) {
    nn::beam c = b;
    c.tokens.push_back(t), c.log_p += p(t);
    c.score = c.log_p / std::pow(double(c.tokens.size()), power);
    if (t == 0 || longest == 1)
      to.push_back(c);
    else
      all_from(to, c, int(token), t, longest - 1, power);
  }
}
std::vector<nn::beam> best_of_all(int longest, double power) {
  std::vector<nn::beam> all;
  all_from(all, {}, 0, 1, longest, power);
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.score > b.score; });
  return all;
}
}  // namespace

TEST_CASE("a wide search finds the likeliest sequences of all") {
  for (double const power : {0., .7}) {
    auto const expected = best_of_all(5, power);
    auto const found = nn::beam_search(0, 1, next, {.width = 40, .longest = 5, .end = 0, .length_power = power});
    CHECK(found.size() == 40);
    for (std::size_t k = 0; k < 10; ++k) {
      CHECK(found[k].tokens == expected[k].tokens);
      CHECK(found[k].log_p == doctest::Approx(expected[k].log_p));
      CHECK(found[k].score == doctest::Approx(expected[k].score));
    }
  }
  // a narrow one takes the likeliest token at each place
  auto const greedy = nn::beam_search(0, 1, next, {.longest = 6, .end = 0});
  CHECK(greedy.size() == 1);
  int before = 0;
  std::int64_t token = 1;
  for (std::int64_t const t : greedy[0].tokens) {
    CHECK(t == std::int64_t(rc::argmax(log_p_of(before, token))));
    before = int(token), token = t;
  }
  CHECK(raised([] { (void)nn::beam_search(0, 1, next, {.width = 0, .longest = 5, .end = 0}); }) ==
        "value_error: nn::beam_search: a width and a length of 1 or more were expected");
}
TEST_CASE("tokens are drawn by their probabilities, or by those of the likeliest") {
  rc::tensor<double, 4> const log_p = rc::log(rc::tensor<double, 4>{.1, .4, .2, .3});
  auto const parts = [&](nn::draw_options const& o) {
    std::vector<double> n(4);
    for (int k = 0; k < 20000; ++k) n[std::size_t(nn::drawn_token(log_p, nn::key(9).fold(k), o))] += 1. / 20000;
    return n;
  };
  auto const check = [](std::vector<double> const& n, std::vector<double> const& expected) {
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(n[k] - expected[k]) < (expected[k] == 0 ? 1e-12 : .015));
  };
  check(parts({}), {.1, .4, .2, .3});
  check(parts({.temperature = .5}), {.01 / .3, .16 / .3, .04 / .3, .09 / .3});
  check(parts({.top_k = 2}), {0, 4. / 7, 0, 3. / 7});
  check(parts({.top_p = .75}), {0, .4 / .9, .2 / .9, .3 / .9});
  check(parts({.top_p = .1}), {0, 1, 0, 0});
  CHECK(nn::drawn_token(1000. + log_p, nn::key(3)) == nn::drawn_token(log_p, nn::key(3)));
  CHECK(nn::drawn_token(log_p, nn::key(3), {.temperature = 1e-310}) == 1);
  double const inf = std::numeric_limits<double>::infinity();
  rc::tensor<double, 3> const but_one{-inf, -1, 4};
  int drawn[3]{};
  for (int k = 0; k < 1000; ++k) ++drawn[nn::drawn_token(but_one, nn::key(5).fold(k), {.temperature = inf})];
  CHECK(drawn[0] == 0);
  CHECK(std::abs(drawn[1] - 500) < 80);
  rc::tensor<double, 2> const none = -std::numeric_limits<double>::infinity();
  CHECK(raised([&] { (void)nn::drawn_token(none, nn::key(1)); }) ==
        "value_error: nn::drawn_token: the largest score is infinite");
  CHECK(raised([&] { (void)nn::drawn_token(log_p, nn::key(1), {.temperature = 0}); }) ==
        "value_error: nn::drawn_token: tokens, and numbers above 0 as temperature, top_k and top_p, were expected");
}
