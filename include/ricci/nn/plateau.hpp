// A rate that is reduced where the measure of a training rises no more: the link `plateau_factor`, which multiplies
// the step by a number of the run, and the observer `reduce_on_plateau` of nn::fit, which reduces that number:
//
//   auto const o = nn::adam{} | nn::constant{1e-3f} | nn::plateau_factor{};
//   nn::fit<loss>(run, o, data, options, measure, nn::reduce_on_plateau{.factor = .5f, .patience = 3});
//
// It lies in the run, and so in its checkpoint.
#pragma once

#include <limits>

#include <ricci/nn/chain.hpp>

namespace ricci::nn {

template <class Kind = values>
struct plateau_memory {
  field<Kind, float> factor, best;
  field<Kind, std::int64_t> since;  // epochs
};
struct plateau_factor {
  static auto init(auto const&) { return plateau_memory<>{1.f, std::numeric_limits<float>::lowest(), 0}; }
  static constexpr auto update(auto const&, auto g, auto const& s, auto const&, auto const&) {
    auto const factor = s.factor;
    update_leaves([&](auto& d) { d = factor * d; }, g);
    return std::pair(g, s);
  }
};

// Multiplies the rate by `factor` where for more than `patience` epochs the measure was not more than `least_gain`
// above its best, and counts anew; it stays at `least` or above, times the rate of the chain (PyTorch:
// ReduceLROnPlateau).
struct reduce_on_plateau {
  float factor = .1f;
  std::int64_t patience = 10;
  float least_gain = 1e-4f, least = 0;
  template <class Run>
  reduce_on_plateau of() const {
    return *this;
  }
  void hear(plateau_memory<>& m, float measure) const {
    if (measure > m.best.item() + least_gain) {
      m.best = measure, m.since = 0;
    } else if (m.since.item() < patience) {
      m.since = m.since.item() + 1;
    } else {
      float const next = m.factor.item() * factor;
      m.factor = next > least ? next : least;
      m.since = 0;
    }
  }
  bool epoch(auto& run, float, float measure) const {
    bool found = false;
    tree::apply(
        [&](auto&... memory) {
          (
              [&]<class M>(M& m) {
                if constexpr (std::is_same_v<M, plateau_memory<>>) hear(m, measure), found = true;
              }(memory),
              ...);
        },
        run.optimiser);
    if (!found)
      core::raise<value_error>(core::text()
                               << "nn::reduce_on_plateau: nn::plateau_factor is no link of the run's optimiser");
    return true;
  }
  void finish(auto const&) const {}
};

}  // namespace ricci::nn
