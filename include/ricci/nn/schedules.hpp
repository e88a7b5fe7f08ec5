// Rates as functions of the step, which end a chain. Steps are counted from 0; names and values are Optax's where it
// has them; `cyclical`, `cosine_restarts` and `noam` are as PyTorch and the papers have them. Of 0 steps a decay that
// has an end is at its end from the first step on; a period of 0 steps is a value_error of `step_of`.
#pragma once

#include <numbers>

#include <ricci/core/errors.hpp>
#include <ricci/nn/chain.hpp>
#include <ricci/nn/require.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

// A period that a schedule divides by. In a run with a rate that is not finite all parameters would be NaN.
inline void require_period(char const* schedule, char const* member, float value) {
  if (!(value > 0))
    core::raise<value_error>(core::text() << schedule << ": a number above 0 was expected as ." << member);
}

// The rate of every step.
struct constant {
  required<float, struct missing_value> value;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const&) {
    auto const& [value] = tree::members(h);
    return value;
  }
};
// From 0 to `peak` in `warmup` steps, evenly, and on a half cosine down to `end` at step `total` (optax:
// warmup_cosine_decay_schedule).
struct warmup_cosine {
  required<float, struct missing_peak> peak;
  required<float, struct missing_warmup> warmup;
  required<float, struct missing_total> total;
  float end = 0;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [peak, warmup, total, end] = tree::members(h);
    auto const t = astype<float>(step);
    auto const done = where(t < total, maximum((t - warmup) / (total - warmup), 0.f), 1.f);
    return where(t < warmup, peak * t / warmup,
                 end + (peak - end) * .5f * (1.f + cos(std::numbers::pi_v<float> * done)));
  }
};
// init times factor^(step / steps); `step_decay` does that in stairs, after each `steps` at once.
struct exponential_decay {
  required<float, struct missing_init> init;
  required<float, struct missing_steps> steps;
  required<float, struct missing_factor> factor;
  void check() const { require_period("nn::exponential_decay", "steps", steps); }
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, factor] = tree::members(h);
    return init * pow(factor, astype<float>(step) / steps);
  }
};
struct step_decay {
  required<float, struct missing_init> init;
  required<float, struct missing_steps> steps;
  required<float, struct missing_factor> factor;
  void check() const { require_period("nn::step_decay", "steps", steps); }
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, factor] = tree::members(h);
    return init * pow(factor, floor(astype<float>(step) / steps));
  }
};
// From `init` to `end` in `steps`, by (1 - step / steps)^power; `end` from there on. With power 1 it is linear, also
// upwards.
struct polynomial_decay {
  required<float, struct missing_init> init;
  required<float, struct missing_end> end;
  required<float, struct missing_power> power;
  required<float, struct missing_steps> steps;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, end, power, steps] = tree::members(h);
    auto const t = astype<float>(step);
    return end + (init - end) * pow(where(t < steps, 1.f - t / steps, 0.f), power);
  }
};
// Half a cosine from `init` to `init * least` in `steps` (I. Loshchilov, F. Hutter, 2017).
struct cosine_decay {
  required<float, struct missing_init> init;
  required<float, struct missing_steps> steps;
  float least = 0;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, least] = tree::members(h);
    auto const at = astype<float>(step);
    auto const t = where(at < steps, at / steps, 1.f);
    return init * ((1.f - least) * .5f * (1.f + cos(std::numbers::pi_v<float> * t)) + least);
  }
};
// From `peak / div` to `peak` in the part `rise` of `steps`, and from there to `peak / (div * final_div)`, both on half
// cosines (L. N. Smith, N. Topin, 2018). The rise ends at a whole step.
struct one_cycle {
  required<float, struct missing_peak> peak;
  required<float, struct missing_steps> steps;
  float rise = .3f, div = 25, final_div = 1e4f;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [peak, steps, rise, div, final_div] = tree::members(h);
    auto const t = astype<float>(step), top = floor(rise * steps);
    auto const rising = minimum(t / top, 1.f);
    auto const falling = where(t < steps, maximum((t - top) / (steps - top), 0.f), 1.f);
    auto const low = peak / div, last = peak / (div * final_div);
    return where(t < top, low + (peak - low) * .5f * (1.f - cos(std::numbers::pi_v<float> * rising)),
                 last + (peak - last) * .5f * (1.f + cos(std::numbers::pi_v<float> * falling)));
  }
};
// Up and down between `least` and `most` on lines, `half` steps each; the height is multiplied by `decay` after each
// cycle (L. N. Smith, 2017; PyTorch: CyclicLR, whose modes triangular and triangular2 are decay 1 and .5).
struct cyclical {
  required<float, struct missing_least> least;
  required<float, struct missing_most> most;
  required<float, struct missing_half> half;
  float decay = 1;
  void check() const { require_period("nn::cyclical", "half", half); }
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [least, most, half, decay] = tree::members(h);
    auto const t = astype<float>(step) / half;
    auto const cycle = floor(.5f * t);
    return least + (most - least) * pow(decay, cycle) * (1.f - abs(t - 2.f * cycle - 1.f));
  }
};
// Half a cosine from `init` to `least` in `steps` steps, then again in `factor` times as many, and so on (I.
// Loshchilov, F. Hutter, SGDR, 2017; PyTorch: CosineAnnealingWarmRestarts). The factor is at least 1.
struct cosine_restarts {
  required<float, struct missing_init> init;
  required<float, struct missing_steps> steps;
  float factor = 1, least = 0;
  void check() const {
    require_period("nn::cosine_restarts", "steps", steps);
    if (!(factor >= 1)) raise_number("nn::cosine_restarts", "a factor of", double(factor), "1 or more");
  }
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [init, steps, factor, least] = tree::members(h);
    // in double: a period of a million steps has its last ones, too
    auto const t = astype<double>(step) / steps;
    auto const none = zeros_like(t);
    auto const grows = factor > 1.f;
    auto const f = none + where(grows, factor, 2.f);
    // a step that begins a period belongs to it, whatever the rounding of the logarithm
    auto const period = floor(ricci::log(t * (f - 1.) + 1.) / ricci::log(f) + 1e-10);
    auto const length = where(grows, pow(f, period), none + 1.);
    auto const begin = where(grows, (length - 1.) / (f - 1.), floor(t));
    auto const done = astype<float>(maximum((t - begin) / length, 0.));
    return least + (init - least) * .5f * (1.f + cos(std::numbers::pi_v<float> * done));
  }
};
// factor min(t^(-1/2), t warmup^(-3/2)) / sqrt(width) at step t, counted from 1 (A. Vaswani et al., Attention is all
// you need, 2017, section 5.3).
struct noam {
  required<float, struct missing_width> width;
  required<float, struct missing_warmup> warmup;
  float factor = 1;
  void check() const { require_period("nn::noam", "width", width); }
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [width, warmup, factor] = tree::members(h);
    auto const t = astype<float>(step) + 1.f;
    return factor * minimum(1.f / sqrt(t), t / (warmup * sqrt(warmup))) / sqrt(width);
  }
};

template <Rate A, Rate B>
struct joined {
  A first;
  std::int64_t steps;
  B second;
  static constexpr bool is_rate = true;
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [first, steps, second] = tree::members(h);
    return where(step < steps, A::rate(first, step), B::rate(second, maximum(step - steps, 0 * step)));
  }
};
// `a` for so many steps, then `b`, whose steps are counted from 0 on: `join(warm_up, 100, join(hold, 1000, decay))`.
template <Rate A, Rate B>
constexpr auto join(A const& a, std::int64_t steps, B const& b) {
  return joined<A, B>{a, steps, b};
}

}  // namespace ricci::nn
