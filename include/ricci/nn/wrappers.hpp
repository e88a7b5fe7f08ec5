// Optimisers around an optimiser: steps made of several batches, and steps that are left out.
//
//   auto const o = nn::every(4, nn::adam{} | nn::constant{1e-3f});          // a step for each four batches
//   auto const p = nn::skip_nonfinite(nn::adam{} | nn::constant{1e-3f});    // none where the gradient has a NaN
//   auto const q = nn::scaled(nn::adam{} | nn::constant{1e-3f});            // for losses in half precision
#pragma once

#include <ricci/autodiff/has_aux.hpp>
#include <ricci/nn/chain.hpp>
#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

// Whether every element of every leaf is finite, as one bool.
constexpr auto all_finite(auto const& x) {
  auto const of_leaves = tree_map([](auto const& d) { return sum(astype<float>(logical_not(isfinite(d)))); }, x);
  return sum_of_squares(of_leaves) == 0.f;
}

template <class... L>
struct every_link {
  std::int64_t count;
  std::tuple<L...> links;
  static constexpr bool has_rate = true, takes_weight = true, adds_up_batches = true;
  static constexpr std::tuple<L...> const* inner = nullptr;
  static constexpr auto const& inner_memory(auto const& m) { return std::get<2>(m); }
  // of a batch that makes the sum no number; the step of all of them is left out then
  static constexpr bool leaves_out = (leaves_steps_out<L> || ...);
  static constexpr auto is_taken(auto const&, auto const& behind) requires leaves_out {
    return all_finite(std::get<0>(behind));
  }
  static auto init(auto const& p) { return std::tuple(zeros_like(p), tensor<float>(0.f), memories_of(inner, p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const& step,
                               auto const& weight) {
    auto const& [count, numbers] = h;
    auto [sum, total, memory] = s;
    update_leaves([&](auto& a, auto const& d) { a = a + weight * d; }, sum, g);
    total = total + weight;
    auto const all = total;
    update_leaves([&](auto& d, auto const& a) { d = a / all; }, g, sum);
    auto const [d, next] = updated(inner, numbers, g, memory, params, floor_divide(step, count));
    auto const is_last = remainder(step + 1, count) == 0;
    return std::pair(chosen(is_last, d, zeros_like(d)),
                     std::tuple(chosen(is_last, zeros_like(sum), sum), chosen(is_last, zeros_like(total), total),
                                chosen(is_last, next, memory)));
  }
};
// One step of `o` after each `count` batches, by the mean of their gradients, in which each batch counts by its rows:
// the step of one batch of all of them, where the loss is a mean over rows. `run.step` counts the batches, and the
// rates of `o` are those of its own steps.
template <Optimiser O>
constexpr auto every(std::int64_t count, O const& o) {
  if (count < 1)
    core::raise<value_error>(core::text()
                             << "nn::every: a step is made of " << index_t(count) << " batches, and needs at least 1");
  return [&]<class... L>(std::tuple<L...> const& all) {
    static_assert(all_have_rates(static_cast<std::tuple<L...>*>(nullptr)),
                  "nn::every takes an optimiser that ends with a rate");
    return every_link<L...>{count, all};
  }(links_of(o));
}

template <class... L>
struct skip_link {
  std::tuple<L...> links;
  static constexpr bool has_rate = all_have_rates(static_cast<std::tuple<L...>*>(nullptr)), takes_weight = true;
  static constexpr bool needs_rate = (nn::needs_rate<L> || ...);
  static constexpr std::tuple<L...> const* inner = nullptr;
  static constexpr auto const& inner_memory(auto const& m) { return m.second; }
  static auto init(auto const& p) { return std::pair(tensor<std::int64_t>(0), memories_of(inner, p)); }
  static constexpr bool leaves_out = true;
  static constexpr auto is_taken(auto const& before, auto const& behind) { return before.first == behind.first; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const& step,
                               auto const& weight) {
    auto const& [numbers] = h;
    auto [skipped, memory] = s;
    auto const is_good = all_finite(g);
    auto const [d, next] = updated(inner, numbers, g, memory, params, step - skipped, weight);
    return std::pair(chosen(is_good, d, zeros_like(d)),
                     std::pair(where(is_good, skipped, skipped + 1), chosen(is_good, next, memory)));
  }
};
// Where an element of the gradient is not finite, neither parameters nor the state nor what the links remember change,
// and their count of steps does not go on. How many were left out is the first member of the memory:
// `std::get<0>(run.optimiser).first`.
template <Optimiser O>
constexpr auto skip_nonfinite(O const& o) {
  return [&]<class... L>(std::tuple<L...> const& all) { return skip_link<L...>{all}; }(links_of(o));
}

// A scale that is found by trying (P. Micikevicius and others, Mixed precision training, 2018): it begins as `initial`,
// is halved where an element of the gradient is not finite, and doubled after `period` steps without that, up to 2^100.
struct scale_options {
  float initial = 65536;
  std::int64_t period = 2000;
};
// A loss times a number, and beside it what it is without.
template <class Loss>
struct loss_times {
  constexpr auto operator()(auto const& params, auto const& state, auto const& mode, auto const& factor,
                            auto const&... batch) const {
    auto const outcome = Loss{}(params, state, mode, batch...);
    return std::pair(outcome.first * factor, std::pair(outcome.first, outcome.second));
  }
};
template <class... L>
struct scaled_link {
  float initial;
  std::int64_t period;
  std::tuple<L...> links;
  static constexpr bool has_rate = true, takes_weight = true, derives_loss = true;
  static constexpr std::tuple<L...> const* inner = nullptr;
  static constexpr auto const& inner_memory(auto const& m) { return std::get<3>(m); }
  static auto init(auto const& p) {
    return std::tuple(tensor<float>(0.f), tensor<std::int64_t>(0), tensor<std::int64_t>(0), memories_of(inner, p));
  }
  static constexpr auto scale(auto const& h, auto const& s) {
    auto const& [initial, period, numbers] = h;
    return where(std::get<0>(s) == 0.f, initial, std::get<0>(s));
  }
  static constexpr bool leaves_out = true;
  static constexpr auto is_taken(auto const& before, auto const& behind) {
    return std::get<2>(before) == std::get<2>(behind);
  }
  template <class Loss>
  static constexpr auto derived(auto const& h, auto const& s, auto const& params, auto const& state, auto const& mode,
                                auto const&... batch) {
    auto const d = value_and_grad(loss_times<Loss>{}, has_aux)(params, state, mode, scale(h, s), batch...);
    if constexpr (std::is_same_v<decltype(d), tracing::no_result const>)
      return d;
    else
      return std::pair(d.first.second, d.second);
  }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const& step,
                               auto const& weight) {
    auto const& [initial, period, numbers] = h;
    auto const& [kept, good_steps, skipped, memory] = s;
    auto const factor = scale(h, s);
    auto const is_good = all_finite(g);
    update_leaves([&](auto& d) { d = d / factor; }, g);
    auto const [d, next] = updated(inner, numbers, g, memory, params, step - skipped, weight);
    auto const count = where(is_good, good_steps + 1, 0 * good_steps);
    // at 2^100 it stays: what is infinite would be half of infinity from there on
    auto const is_due = logical_and(count == period, factor < 0x1p100f);
    return std::pair(chosen(is_good, d, zeros_like(d)),
                     std::tuple(where(is_good, where(is_due, 2.f * factor, factor), .5f * factor),
                                where(count == period, 0 * count, count), where(is_good, skipped, skipped + 1),
                                chosen(is_good, next, memory)));
  }
};
// The loss is multiplied by that scale before it is derived, and the gradient divided by it, so that little derivatives
// are not lost in half precision; steps whose gradient is not finite are left out, as by skip_nonfinite. It is the
// outermost optimiser. What step and fit say of the loss is without the scale.
template <Optimiser O>
constexpr auto scaled(O const& o, scale_options const& options = {}) {
  return [&]<class... L>(std::tuple<L...> const& all) {
    static_assert(all_have_rates(static_cast<std::tuple<L...>*>(nullptr)),
                  "nn::scaled takes an optimiser that ends with a rate");
    return scaled_link<L...>{options.initial, options.period, all};
  }(links_of(o));
}

}  // namespace ricci::nn
