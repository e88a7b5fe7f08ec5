// The best run of a training in a file, as an observer of `nn::fit`: `nn::early_stopping` that a run which is loaded
// goes on with.
//
//   nn::fit<loss>(run, optimiser, data, options, accuracy, nn::checkpoint{"run.safetensors"},
//                 nn::best_checkpoint{.path = "best.safetensors", .patience = 5});
#pragma once

#include <cstdio>
#include <limits>
#include <memory>

#include <ricci/nn/checkpoint.hpp>

namespace ricci::nn {

// What the file holds: `nn::load(path, best)` of a `nn::best_of<Run>`.
template <class Run>
struct best_of {
  Run run;
  float measure = 0;
};
// Run is the record of a run.
template <class Run>
struct best_checkpoint_of {
  std::string path;
  int patience;
  std::unique_ptr<best_of<Run>> best{};
  bool epoch(Run const& r, float, float m) {
    if (!best && r.epoch > 1) find(r);
    bool const is_nan = best && best->measure != best->measure;
    if (!best || m > best->measure || (is_nan && m == m)) {
      if (!best) best = std::make_unique<best_of<Run>>();
      best->run = r;
      best->measure = m;
      nn::save(path, *best);
    }
    return r.epoch - best->run.epoch < patience;
  }
  bool epoch(held_run<Run> const& r, float loss, float m) { return epoch(*r, loss, m); }
  void finish(Run& r) const {
    if (best) r = best->run;
  }
  void finish(held_run<Run>& r) const { finish(*r); }

 private:
  // the best one of the epochs before that of r, where the training was interrupted
  void find(Run const& r) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return;
    std::fclose(file);
    best = std::make_unique<best_of<Run>>();
    nn::load(path, *best);
    if (best->run.epoch > r.epoch) best.reset();
  }
};
// Writes the run with the greatest measure so far, stops where that has not risen for `patience` epochs, and sets the
// run to it at the end. A training that begins with its first epoch begins anew; one that goes on reads the file, where
// there is one. NaN is worse than all.
struct best_checkpoint {
  std::string path;
  int patience = std::numeric_limits<int>::max();
  template <class Run>
  auto of() const {
    if constexpr (is_held_run<Run>)
      return best_checkpoint_of<typename Run::record>{path, patience};
    else
      return best_checkpoint_of<Run>{path, patience};
  }
};

}  // namespace ricci::nn
