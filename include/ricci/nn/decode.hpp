// Texts from a model of sequences, of values: the likeliest ones by beam search, and tokens that are drawn.
//
//   // log_p (tokens)
//   auto const next = [&](state_t const& s, std::int64_t token) { return std::pair(log_p, after); };
//   // the best one first
//   auto const found = nn::beam_search(begin, first, next, {.width = 4, .longest = 50, .end = 0});
//   auto const token = nn::drawn_token(log_p, key.fold(place), {.temperature = .8, .top_k = 40});
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <ricci/core/required.hpp>
#include <ricci/core/text.hpp>
#include <ricci/core/where_used.hpp>
#include <ricci/nn/layer.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::nn {

struct beam_options {
  index_t width = 1;  // 1: the likeliest token at each place
  required<index_t, struct missing_longest> longest;
  required<std::int64_t, struct missing_end> end;  // behind which a sequence is finished
  double length_power = 0;                         // sequences are compared by log_p / length^length_power
};
struct beam {
  std::vector<std::int64_t> tokens;  // without the first one, with the end where it was reached
  double log_p = 0, score = 0;
};
// The `width` sequences of the highest scores that a search finds which keeps so many at each place (B. Lowerre, 1976;
// with lengths, Y. Wu and others, 2016): it begins with a state and a token, and next(state, token) is the pair of the
// logarithms of the probabilities of all tokens, (tokens), and the state after the token. The best first; sequences
// that did not come to their end within `longest` tokens count as they are.
template <class State, class Next>
std::vector<beam> beam_search(State const& begin, std::int64_t first, Next const& next, beam_options const& o) {
  if (o.width < 1 || o.longest < 1)
    core::raise<value_error>(core::text() << "nn::beam_search: a width and a length of 1 or more were expected");
  using found_beam = core::where_used<beam, State>;
  struct open_beam {
    found_beam b;
    State state;
  };
  struct candidate {
    double score, log_p;
    std::size_t from;
    std::int64_t token;
  };
  auto const score_of = [&](double log_p, std::size_t length) {
    return o.length_power == 0 ? log_p : log_p / std::pow(double(length), o.length_power);
  };
  auto const is_better = [](found_beam const& a, found_beam const& b) {
    return a.score > b.score || (a.score == b.score && a.tokens < b.tokens);
  };
  std::vector<open_beam> open{{{}, begin}};
  std::vector<found_beam> done;
  for (index_t place = 0; place < o.longest && !open.empty(); ++place) {
    std::vector<candidate> all;
    std::vector<State> after;
    for (std::size_t k = 0; k < open.size(); ++k) {
      found_beam const& b = open[k].b;
      auto result = next(open[k].state, b.tokens.empty() ? first : b.tokens.back());
      ndarray<double, 1> const log_p = astype<double>(result.first);
      after.push_back(std::move(result.second));
      for (index_t t = 0; t < log_p.size(); ++t) {
        double const sum = b.log_p + log_p.data()[t];
        if (sum == sum) all.push_back({score_of(sum, b.tokens.size() + 1), sum, k, t});
      }
    }
    std::size_t const kept = std::min(all.size(), std::size_t(index_t(o.width)));
    std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(kept), all.end(), [](auto const& a, auto const& b) {
      return a.score > b.score || (a.score == b.score && std::pair(a.from, a.token) < std::pair(b.from, b.token));
    });
    std::vector<open_beam> others;
    for (std::size_t k = 0; k < kept; ++k) {
      found_beam b = open[all[k].from].b;
      b.tokens.push_back(all[k].token), b.log_p = all[k].log_p, b.score = all[k].score;
      if (all[k].token == o.end || place + 1 == o.longest)
        done.push_back(std::move(b));
      else
        others.push_back({std::move(b), after[all[k].from]});
    }
    open = std::move(others);
    std::sort(done.begin(), done.end(), is_better);
    if (done.size() > std::size_t(o.width)) done.resize(std::size_t(o.width));
    // without a power of lengths what is open only becomes less likely
    if (o.length_power == 0 && done.size() == std::size_t(o.width))
      std::erase_if(open, [&](open_beam const& b) { return b.b.log_p <= done.back().log_p; });
  }
  return done;
}

struct draw_options {
  double temperature = 1;  // logarithms are divided by it; near 0 the likeliest token is drawn
  index_t top_k = std::numeric_limits<index_t>::max();  // of so many likeliest tokens
  double top_p = 1;  // of the fewest likeliest tokens whose probabilities sum to this (A. Holtzman and others, 2020)
};
// A token with the probability that the model gives it: log_p (tokens), logarithms of probabilities or scores.
std::int64_t drawn_token(Tensor auto const& log_p, key const& k, draw_options const& o = {}) {
  using number = core::where_used<double, decltype(log_p)>;
  ndarray<double, 1> const s = astype<double>(log_p);
  if (!(o.temperature > 0) || o.top_k < 1 || !(o.top_p > 0) || s.size() == 0)
    core::raise<value_error>(
        core::text() << "nn::drawn_token: tokens, and numbers above 0 as temperature, top_k and top_p, were expected");
  std::vector<std::pair<number, std::int64_t>> all;
  for (index_t t = 0; t < s.size(); ++t) {
    if (s.data()[t] != s.data()[t]) core::raise<value_error>(core::text() << "nn::drawn_token: a score is NaN");
    all.push_back({s.data()[t], t});
  }
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  });
  if (all.size() > std::size_t(o.top_k)) all.resize(std::size_t(o.top_k));
  double sum = 0, kept = 0;
  double const most = all[0].first;
  if (!(std::abs(most) < std::numeric_limits<double>::infinity()))
    core::raise<value_error>(core::text() << "nn::drawn_token: the largest score is infinite");
  double const never = -std::numeric_limits<double>::infinity();  // also where the temperature is infinite
  for (auto& [score, t] : all) sum += score = score == never ? 0 : std::exp((score - most) / o.temperature);
  std::size_t n = 0;
  while (n < all.size() && (n == 0 || kept < o.top_p * sum)) kept += all[n++].first;
  double left = double(random::philox_child(k.item(), 0) >> 11) * 0x1p-53 * kept;
  for (std::size_t at = 0; at + 1 < n; ++at)
    if ((left -= all[at].first) < 0) return all[at].second;
  return all[n - 1].second;
}

}  // namespace ricci::nn
