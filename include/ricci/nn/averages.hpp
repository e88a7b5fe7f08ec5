// Averages that follow the parameters, and what is done to a gradient beside the optimisers (nn/optimisers.hpp), as
// links of a chain.
#pragma once

#include <ricci/nn/chain.hpp>
#include <ricci/nn/mode.hpp>
#include <ricci/nn/require.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/random/normal.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

// Behind the rate: an average of the parameters, decay m + (1 - decay) w after each step, from the first parameters on
// (B. T. Polyak, A. B. Juditsky, 1992, with decay). The step is not changed; `nn::ema_of(optimiser, run)` is the
// average.
struct params_ema {
  float decay = .999f;
  void check() const {
    if (!(decay >= 0 && decay < 1)) raise_number("nn::params_ema", "a decay of", double(decay), "0 to below 1");
  }
  static constexpr bool behind_rate = true;
  static auto init(auto const& p) { return p; }
  static constexpr auto update(auto const& h, auto const& g, auto s, auto const& params, auto const&) {
    auto const& [given_decay] = h;
    update_leaves(
        [decay = given_decay](auto& m, auto const& w, auto const& d) { m = decay * m + (1.f - decay) * (w + d); }, s,
        params, g);
    return std::pair(g, s);
  }
};
template <class... L>
constexpr std::size_t place_of_ema(std::tuple<L...> const*) {
  bool const is[] = {std::is_same_v<L, params_ema>...};
  std::size_t k = 0;
  while (k < sizeof...(L) && !is[k]) ++k;
  return k;
}
template <Optimiser O, class Run>
auto const& ema_of(O const&, Run const& run) {
  using links = decltype(links_of(std::declval<O const&>()));
  constexpr std::size_t k = place_of_ema(static_cast<links*>(nullptr));
  static_assert(k < std::tuple_size_v<links>, "nn::ema_of: params_ema is no link of this optimiser");
  return std::get<k>(run.optimiser);
}

// The gradient of a tensor with two axes or more without its mean over all axes but the last (H. Yong and others, 2020:
// over the inputs of each unit).
struct centralize {
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const&, auto g, auto s, auto const&, auto const&) {
    tree_map(
        []<class D>(D& d) {
          if constexpr (rank_of < D >> 1) [&]<int... A>(std::integer_sequence<int, A...>) {
              d = d - mean(d, axis<A...>, keepdims);
            }
          (std::make_integer_sequence<int, rank_of<D> - 1>{});
        },
        g);
    return std::pair(g, s);
  }
};

// Adds normal noise of variance eta / t^gamma at step t, counted from 1 (A. Neelakantan and others, 2015). The numbers
// are those of `seed` and the step.
struct add_noise {
  required<float, struct missing_eta> eta;
  float gamma = .55f;
  std::uint64_t seed = 0;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [eta, gamma, seed] = tree::members(h);
    auto const size = sqrt(eta / pow(astype<float>(step) + 1.f, gamma));
    auto const of_step = random::fold_in(seed, step);
    int k = 0;
    tree_map([&](auto& d) { d = d + size * random::normal<float>(random::fold_in(of_step, k++), shape_of(d)); }, g);
    return std::pair(g, s);
  }
};

}  // namespace ricci::nn
