// Numbers that nobody knows beforehand: a rate from one short training, and others by random search.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <ricci/core/where_used.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

struct rate_options {
  float least = 1e-6f, most = 10;
  int steps = 100;
  batch_options batch;
};
struct rate_curve {
  std::vector<float> rates, losses;  // the losses smoothed
  float suggested = 0;
};
// Trains a copy of the run with rates that grow from `least` to `most`, until the loss has risen above its least value
// by three times the size of that, and suggests the one at which it fell fastest (L. N. Smith, 2017), 0 where it never
// fell. `optimiser` has no rate: nn::adam{}.
template <auto Loss, class Run, Optimiser O, class D>
rate_curve find_rate(Run const& run, O const& optimiser, D const& data, rate_options const& o) {
  if (!(o.least > 0 && o.most > o.least && o.steps > 2))
    core::raise<value_error>(core::text() << "nn::find_rate: 0 < least < most, and more than 2 steps");
  exponential_decay const growing{o.least, static_cast<float>(o.steps - 1), o.most / o.least};
  auto const whole = optimiser | growing;
  auto trained = start(run.params, run.state, whole, run.key);
  auto const step = step_of<Loss>(whole);
  rate_curve c;
  float smooth = 0, best = 0;
  for (int k = 0, epoch = 0; k < o.steps; ++epoch) {
    auto const all = epoch_of(data, o.batch, run.key.fold(child_of_epochs).fold(epoch));
    if (all.size() == 0) core::raise<value_error>(core::text() << "nn::find_rate: the data set is empty");
    for (index_t n = 0; n < all.size() && k < o.steps; ++n, ++k) {
      float const loss = step_with(step, trained, all[n]);
      // a running mean of weight .1 for the last one, without the bias of its beginning
      smooth = .9f * smooth + .1f * loss;
      float const mean = smooth / (1 - std::pow(.9f, static_cast<float>(k + 1)));
      if (!std::isfinite(mean) || (k > 0 && mean - best > 3 * std::abs(best))) {
        k = o.steps;
        break;
      }
      best = k == 0 || mean < best ? mean : best;
      c.rates.push_back(o.least * std::pow(o.most / o.least, static_cast<float>(k) / static_cast<float>(o.steps - 1)));
      c.losses.push_back(mean);
    }
  }
  // over a tenth of the steps, and not of the first tenth, where few losses are in the mean
  std::size_t const width = std::size_t(o.steps / 10 > 0 ? o.steps / 10 : 1);
  float steepest = 0;
  for (std::size_t k = 2 * width; k < c.losses.size(); ++k) {
    float const fall = c.losses[k] - c.losses[k - width];
    if (fall < steepest) steepest = fall, c.suggested = c.rates[k - width / 2];
  }
  return c;
}

// What is drawn in one trial of a random search; the same key draws the same.
class trial {
 public:
  explicit trial(nn::key const& k) : key_(k) {}
  nn::key const& key() const { return key_; }
  // evenly between both
  template <class Use = void>
  double uniform(std::string const& name, double low, double high) {
    return noted<Use>(name, low + (high - low) * next());
  }
  // evenly by logarithm: both above 0
  template <class Use = void>
  double log_uniform(std::string const& name, double low, double high) {
    if (!(low > 0 && high > 0))
      core::raise<value_error>(core::text() << "nn::trial: log_uniform is between numbers above 0");
    return noted<Use>(name, low * std::pow(high / low, next()));
  }
  // an integer from low to high, both included
  template <class Use = void>
  index_t integer(std::string const& name, index_t low, index_t high) {
    if (high < low) core::raise<value_error>(core::text() << "nn::trial: an integer from " << low << " to " << high);
    return static_cast<index_t>(noted<Use>(name, std::floor(double(low) + double(high - low + 1) * next())));
  }
  // what was drawn, by name
  std::vector<std::pair<std::string, double>> const& values() const { return values_; }

 private:
  // random::uniform<double> of one number, of which every file that includes this would compile a statement
  double next() {
    nn::key const own = key_.fold(int(values_.size()));
    std::uint64_t word = 0;
    random::philox_row(&word, own.item(), 0, 1);
    return random::unit_of_word_t<double, 53>::kernel(word);
  }
  template <class Use>
  double noted(std::string const& name, core::where_used<double, Use> x) {
    return values_.emplace_back(name, x), x;
  }

  nn::key key_;
  std::vector<std::pair<std::string, double>> values_;
};
struct search_result {
  trial best;
  double measure;
};
// The best of `trials` calls of f(trial), which draws what it needs and returns a measure, higher is better; NaN is
// worse than all (J. Bergstra, Y. Bengio, 2012).
//
//   auto const train_one = [&](nn::trial& t) { return train(t.log_uniform("rate", 1e-4, 1e-1)); };
//   auto const found = nn::random_search(20, key, train_one);
template <class F>
search_result random_search(int trials, key const& k, F const& f) {
  if (trials < 1) core::raise<value_error>(core::text() << "nn::random_search: at least one trial is needed");
  search_result r{trial(k), 0};
  for (int n = 0; n < trials; ++n) {
    trial t(k.fold(n));
    auto const measure = static_cast<double>(f(t));
    if (n == 0 || measure > r.measure || (std::isnan(r.measure) && !std::isnan(measure))) r = {t, measure};
  }
  return r;
}

}  // namespace ricci::nn
