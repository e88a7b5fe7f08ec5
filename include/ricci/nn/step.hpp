// `nn::start` makes a run, all that a training knows; `nn::step_of<loss>(optimiser)` is one step of it, traced as one
// function: forward, backward, all links of the optimiser and the update.
#pragma once

#include <ricci/autodiff/has_aux.hpp>
#include <ricci/autodiff/transforms.hpp>
#include <ricci/nn/chain.hpp>
#include <ricci/nn/mode.hpp>

namespace ricci::nn {

template <class Params, class State, class Memory>
struct run {
  Params params;
  State state;
  Memory optimiser;
  std::int64_t step = 0, epoch = 0;
  // the batches of this epoch that are done, and the sum of their losses; `fit` counts them
  std::int64_t batch = 0;
  double loss_sum = 0;
  nn::key key;
};

template <class Params, class State, class O>
auto start(Params params, State state, O const& o, key const& k) {
  auto memory = [&]<class... L>(std::tuple<L...> const&) {
    return std::tuple<decltype(memory_of<L>(params))...>(memory_of<L>(params)...);
  }(links_of(o));
  return run<Params, State, decltype(memory)>{std::move(params), std::move(state), std::move(memory), 0, 0, 0, 0, k};
}

template <class Loss, class Links>
struct traced_step {
  template <class... Batch>
  constexpr auto operator()(auto const& h, auto const& params, auto const& state, auto const& memory, auto const& seed,
                            auto const& step, Batch const&... batch) const {
    using Mode = typename std::remove_cvref_t<decltype(step)>::mode;
    training<symbols<Mode>> const mode{random::fold_in(seed, step)};
    auto const [outcome, g] = value_and_grad(Loss{}, has_aux)(params, state, mode, batch...);
    auto [d, m] = updated(static_cast<Links*>(nullptr), h, g, memory, params, step);
    auto next = params;
    tree_map([](auto& w, auto const& change) { w = w + change; }, next, d);
    return std::tuple(outcome.first, next, outcome.second, m);
  }
};
template <class Loss, class O>
struct step_function {
  O optimiser;
  using links = decltype(links_of(std::declval<O const&>()));
  static_assert(has_its_rate(static_cast<links*>(nullptr)),
                "an optimiser ends with a rate: nn::adam{} | nn::constant{1e-3f}");
  template <class Run, class... Batch>
  float operator()(Run& r, Batch const&... batch) const {
    auto [loss, params, state, memory] =
        fn(traced_step<Loss, links>{})(links_of(optimiser), r.params, r.state, r.optimiser, r.key, r.step, batch...);
    r.params = std::move(params);
    tree::for_each_leaf([](auto& to, auto& from) { to = std::move(from); }, r.state, state);
    tree::for_each_leaf([](auto& to, auto& from) { to = std::move(from); }, r.optimiser, memory);
    ++r.step;
    return static_cast<float>(loss);
  }
};
template <auto Loss, class O>
constexpr auto step_of(O const& o) {
  return step_function<std::remove_cvref_t<decltype(Loss)>, O>{o};
}

}  // namespace ricci::nn
