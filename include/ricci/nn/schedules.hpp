// Rates as functions of the step, which end a chain. Steps are counted from 0; names and values are Optax's.
#pragma once

#include <numbers>

#include <ricci/nn/chain.hpp>
#include <ricci/ops/select.hpp>

namespace ricci::nn {

// The rate of every step.
struct constant {
  float value;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const&) {
    auto const& [value] = h;
    return value;
  }
};
// From 0 to `peak` in `warmup` steps, evenly, and on a half cosine down to `end` at step `total` (optax:
// warmup_cosine_decay_schedule).
struct warmup_cosine {
  float peak, warmup, total, end = 0;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [peak, warmup, total, end] = h;
    auto const t = astype<float>(step);
    auto const done = minimum(maximum((t - warmup) / (total - warmup), 0.f), 1.f);
    return where(t < warmup, peak * t / warmup,
                 end + (peak - end) * .5f * (1.f + cos(std::numbers::pi_v<float> * done)));
  }
};
// init times factor^(step / steps); `step_decay` does that in stairs, after each `steps` at once.
struct exponential_decay {
  float init, steps, factor;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, factor] = h;
    return init * pow(factor, astype<float>(step) / steps);
  }
};
struct step_decay {
  float init, steps, factor;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, factor] = h;
    return init * pow(factor, floor(astype<float>(step) / steps));
  }
};
// From `init` to `end` in `steps`, by (1 - step / steps)^power; `end` from there on. With power 1 it is linear, also
// upwards.
struct polynomial_decay {
  float init, end, power, steps;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, end, power, steps] = h;
    return end + (init - end) * pow(1.f - minimum(astype<float>(step) / steps, 1.f), power);
  }
};
// Half a cosine from `init` to `init * least` in `steps` (I. Loshchilov, F. Hutter, 2017).
struct cosine_decay {
  float init, steps, least = 0;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, least] = h;
    auto const t = minimum(astype<float>(step) / steps, 1.f);
    return init * ((1.f - least) * .5f * (1.f + cos(std::numbers::pi_v<float> * t)) + least);
  }
};

}  // namespace ricci::nn
