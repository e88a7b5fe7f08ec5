// `nn::fit<loss>(run, optimiser, data, options, measure, observers...)`: epochs of steps until run.epoch is
// options.epochs. After each, `measure(run)` is taken (higher is better), and every observer hears of it by
// `epoch(run, mean loss, measure)`, which says whether to go on; at the end each may change the run by `finish(run)`,
// in their order.
#pragma once

#include <ricci/nn/batches.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

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

}  // namespace ricci::nn
