// Observers of `nn::fit` (nn/fit.hpp): `of<Run>()` makes one for a training, `epoch(run, mean loss, measure)` hears of
// an epoch and says whether to go on, `finish(run)` may change the run at the end.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include <ricci/core/required.hpp>
#include <ricci/core/text.hpp>
#include <ricci/io/error.hpp>

namespace ricci::nn {

// Stops where the measure has not risen for `patience` epochs; the run ends as the best one was. NaN is worse than all.
template <class Run>
struct early_stopping_of {
  int patience;
  std::unique_ptr<Run> best{};  // apart: a run of large nets is megabytes
  float measure = 0;
  int since = 0;
  bool epoch(Run const& r, float, float m) {
    if (!best || m > measure || (measure != measure && m == m))
      keep(r), measure = m, since = 0;
    else
      ++since;
    return since < patience;
  }
  void finish(Run& r) {
    if (best) r = *best;
  }
  void keep(Run const& r) {
    if (best)
      *best = r;
    else
      best = std::make_unique<Run>(r);
  }
};
struct early_stopping {
  required<int, struct missing_patience> patience;
  template <class Run>
  early_stopping_of<Run> of() const {
    return {patience};
  }
};
// A line for each epoch, to the standard error stream.
struct progress {
  template <class Run>
  progress of() const {
    return {};
  }
  bool epoch(auto const& r, float loss, float measure) const {
    std::fprintf(stderr, "epoch %lld  step %lld  loss %.5g  measure %.5g\n", static_cast<long long>(r.epoch),
                 static_cast<long long>(r.step), double(loss), double(measure));
    return true;
  }
  void finish(auto const&) const {}
};
// Adds a line for each epoch to a file of comma-separated values: epoch, step, loss, measure. A file that cannot be
// written is an io_error.
struct log {
  std::string path;
  template <class Run>
  log of() const {
    return *this;
  }
  bool epoch(auto const& r, float loss, float measure) const {
    std::FILE* const file = std::fopen(path.c_str(), "a");
    bool good = file != nullptr;
    if (good) {
      good = std::fseek(file, 0, SEEK_END) == 0;
      if (good && std::ftell(file) == 0) good = std::fputs("epoch,step,loss,measure\n", file) >= 0;
      good = good && std::fprintf(file, "%lld,%lld,%.9g,%.9g\n", static_cast<long long>(r.epoch),
                                  static_cast<long long>(r.step), double(loss), double(measure)) > 0;
      good = (std::fclose(file) == 0) && good;
    }
    if (!good) core::raise<io_error>(core::text() << "nn::log: cannot write " << path.c_str());
    return true;
  }
  void finish(auto const&) const {}
};

}  // namespace ricci::nn
