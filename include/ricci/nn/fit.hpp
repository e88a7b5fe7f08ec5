// `nn::fit<loss>(run, optimiser, data, options, measure, observers...)`: epochs of steps until run.epoch is
// options.epochs. After each, `measure(run)` is taken (higher is better), and every observer hears of it by
// `epoch(run, mean loss, measure)`, which says whether to go on; at the end each may change the run by `finish(run)`,
// in their order. Observers that have `step(run, loss)` hear of every step, and may end the training there.
//
// Where in an epoch a run is, it knows itself (`run.batch`), and which examples come next follows from its key and its
// epoch: a run that is saved after any step and loaded goes on as if nothing had happened.
#pragma once

#include <ricci/nn/batches.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

struct fit_options {
  required<int, struct missing_epochs> epochs;
  batch_options batch = {};
  int prefetch = 0;  // how many batches a thread makes in advance
};

// The batches of an epoch: of a data set, or what a function of the epoch's key gives, a data::sequence.
template <class D>
auto epoch_of(D const& examples, batch_options const& o, key const& k) {
  if constexpr (!Tensor<D> && requires { examples(k); }) {  // a tensor is called with indices
    if (o.size != 0)
      core::raise<value_error>(core::text() << "nn::fit: batches of " << o.size
                                            << " examples are asked for, and the function of the key makes them");
    return examples(k);
  } else {
    return data::batches(examples, o, k);
  }
}

// A step of a run on a batch: a tensor, or a tree whose members are the step's arguments. The loss.
template <class Step, class Run, class Batch>
float step_with(Step const& step, Run& r, Batch const& batch) {
  if constexpr (tree::Leaf<Batch>)
    return step(r, batch);
  else
    return tree::apply([&](auto const&... x) { return step(r, x...); }, tree::members(batch));
}

template <class F, class Run>
concept Measure = requires(F const& f, Run& r, void (&take)(float)) {
  take(f(r));
};
template <class X, class Run>
concept Observer = requires(X const& x) {
  x.template of<Run>();
};
template <auto Loss, class Run, class O, class D, class F, class... Observers>
void run_epochs(Run& r, O const& optimiser, D const& examples, fit_options const& o, F const& measure,
                Observers const&... observers) {
  auto const step = step_of<Loss>(optimiser);
  std::tuple all(observers.template of<Run>()...);
  for (bool goes_on = true; goes_on && r.epoch < o.epochs;) {
    auto const epoch = epoch_of(examples, o.batch, r.key.fold(child_of_epochs).fold(r.epoch));
    index_t const count = epoch.size();
    if (count == 0) core::raise<value_error>(core::text() << "nn::fit: an epoch without batches");
    if (r.batch > count)
      core::raise<value_error>(core::text() << "nn::fit: the run is at batch " << index_t(r.batch) << " of an epoch of "
                                            << count << ": other data, or batches of another size");
    auto const hears = [&](auto& observer, float cost) {
      if constexpr (requires { observer.step(r, cost); })
        return bool(observer.step(r, cost));
      else
        return true;
    };
    auto const one = [&](auto const& batch) {
      float const cost = step_with(step, r, batch);
      r.loss_sum += double(cost);
      ++r.batch;
      tree::apply([&](auto&... x) { ((goes_on = hears(x, cost) && goes_on), ...); }, all);
    };
    if (o.prefetch > 0) {
      auto ahead = epoch.from(r.batch).prefetch(o.prefetch);
      while (goes_on) {
        auto const batch = ahead.next();
        if (!batch) break;
        one(*batch);
      }
    } else {
      while (goes_on && r.batch < count) one(epoch[r.batch]);
    }
    if (r.batch < count) break;
    auto const mean_loss = static_cast<float>(r.loss_sum / double(count));
    ++r.epoch, r.batch = 0, r.loss_sum = 0;
    float const m = measure(r);
    tree::apply([&](auto&... x) { ((goes_on = x.epoch(r, mean_loss, m) && goes_on), ...); }, all);
  }
  tree::apply([&](auto&... x) { (x.finish(r), ...); }, all);
}

template <auto Loss, class Run, class O, class D, class F, class... Observers>
void fit(Run& r, O const& optimiser, D const& examples, fit_options const& o, F const& measure,
         Observers const&... observers) {
  static_assert(Measure<F, Run>,
                "nn::fit takes a measure before its observers, a function of the run that gives a float, higher is "
                "better: [&](auto const& run) { return accuracy(run.params); }");
  static_assert((Observer<Observers, Run> && ...),
                "behind the measure of nn::fit stand observers: nn::progress{}, nn::early_stopping{.patience = 5}");
  if constexpr (Measure<F, Run> && (Observer<Observers, Run> && ...))
    run_epochs<Loss>(r, optimiser, examples, o, measure, observers...);
}

}  // namespace ricci::nn
