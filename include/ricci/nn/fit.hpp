// `nn::fit<loss>(run, optimiser, data, options, measure, observers...)`: epochs of steps until run.epoch is
// options.epochs. After each, `measure(run)` is taken (higher is better), and every observer hears of it by
// `epoch(run, mean loss, measure)`, which says whether to go on; at the end each may change the run by `finish(run)`,
// in their order.
#pragma once

#include <optional>

#include <ricci/io/load.hpp>
#include <ricci/io/save.hpp>
#include <ricci/nn/batches.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

// Everything of a run or model, by the names of members. The file is replaced when all is written; names that are
// missing or spare are an io_error, and nothing changes.
template <class X>
void save(std::string const& path, X const& x) {
  io::save(path, x);
}
template <class X>
void load(std::string const& path, X& x) {
  io::load(path, x);
}

// Stops where the measure has not risen for `patience` epochs; the run ends as the best one was.
template <class Run>
struct early_stopping_of {
  int patience;
  std::optional<Run> best{};
  float measure = 0;
  int since = 0;
  bool epoch(Run const& r, float, float m) {
    if (!best || m > measure)
      best = r, measure = m, since = 0;
    else
      ++since;
    return since < patience;
  }
  void finish(Run& r) {
    if (best) r = *best;
  }
};
struct early_stopping {
  int patience;
  template <class Run>
  early_stopping_of<Run> of() const {
    return {patience};
  }
};
// Writes the run after each epoch and at the end.
struct checkpoint {
  std::string path;
  template <class Run>
  checkpoint of() const {
    return *this;
  }
  bool epoch(auto const& r, float, float) const { return nn::save(path, r), true; }
  void finish(auto& r) const { nn::save(path, r); }
};

struct fit_options {
  int epochs;
  batch_options batch;
};
template <auto Loss, class Run, class O, class D, class Measure, class... Observers>
void fit(Run& r, O const& optimiser, D const& data, fit_options const& o, Measure const& measure,
         Observers const&... observers) {
  auto const step = step_of<Loss>(optimiser);
  std::tuple all(observers.template of<Run>()...);
  for (bool goes_on = true; goes_on && r.epoch < o.epochs;) {
    double sum = 0;
    batches const epoch(data, o.batch, r.key.fold(r.epoch));
    for (D const batch : epoch)
      sum += double(tree::apply([&](auto const&... x) { return step(r, x...); }, tree::members(batch)));
    ++r.epoch;
    auto const mean_loss = static_cast<float>(sum / double(epoch.size()));
    float const m = measure(r);
    tree::apply([&](auto&... x) { goes_on = (int(x.epoch(r, mean_loss, m)) & ... & 1) != 0; }, all);
  }
  tree::apply([&](auto&... x) { (x.finish(r), ...); }, all);
}

// One line for each parameter: name, shape, elements; and their sum.
template <class X>
std::string summary(X const& x) {
  std::string s;
  index_t total = 0;
  files::for_each_named_leaf(x, "", [&](std::string const& name, auto const& leaf) {
    s += name;
    index_t n = 1;
    if constexpr (Tensor<std::remove_cvref_t<decltype(leaf)>>) {
      s += " (";
      for (int k = 0; k < rank_of<std::remove_cvref_t<decltype(leaf)>>; ++k)
        s += (k ? ", " : "") + std::to_string(leaf.shape()[std::size_t(k)]);
      s += ')';
      n = leaf.size();
    }
    s += ' ' + std::to_string(n) + '\n';
    total += n;
  });
  return s + "total " + std::to_string(total) + '\n';
}

}  // namespace ricci::nn
