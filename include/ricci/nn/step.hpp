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

// use(f()), where what f gives lies on the heap if it is large: of records of many tensors in place, each up to 64 KiB,
// a few copies fill a stack.
template <class F, class Use>
RICCI_NOINLINE auto aside(F const& f, Use const& use) {
  using T = decltype(f());
  if constexpr (core::has_heap && sizeof(T) > std::size_t(storage::most_in_place)) {
    struct owner {
      T* x;
      ~owner() { delete x; }
    } const o{new T(f())};
    return use(*o.x);
  } else {
    T x = f();
    return use(x);
  }
}

template <class Params, class State, class O>
auto start(Params const& params, State const& state, O const& o, key const& k) {
  return [&]<class... L>(std::tuple<L...> const&) {
    using memory = std::tuple<decltype(memory_of<L>(params))...>;
    run<Params, State, memory> r{params, state, memory(), 0, 0, 0, 0, k};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (aside([&] { return memory_of<L>(params); }, [&](auto& m) { std::get<I>(r.optimiser) = std::move(m); }), ...);
    }
    (std::index_sequence_for<L...>{});
    return r;
  }(links_of(o));
}

// A loss times a number, and beside it what it is without.
template <class Loss>
struct loss_times {
  constexpr auto operator()(auto const& params, auto const& state, auto const& mode, auto const& factor,
                            auto const&... batch) const {
    auto const outcome = Loss{}(params, state, mode, batch...);
    return std::pair(outcome.first * factor, std::pair(outcome.first, outcome.second));
  }
};
template <class Loss, class Links>
struct traced_step {
  template <class... Batch>
  constexpr auto operator()(auto const& h, auto const& params, auto const& state, auto const& memory, auto const& seed,
                            auto const& step, auto const& rows, Batch const&... batch) const {
    using Mode = typename std::remove_cvref_t<decltype(step)>::mode;
    using first = std::tuple_element_t<0, Links>;
    training<symbols<Mode>> const mode{random::fold_in(seed, step)};
    auto const [outcome, g] = [&] {
      if constexpr (requires { first::scales_loss; }) {
        auto const scaled = value_and_grad(loss_times<Loss>{}, has_aux)(
            params, state, mode, first::scale(std::get<0>(h), std::get<0>(memory)), batch...);
        return std::pair(scaled.first.second, scaled.second);
      } else {
        return value_and_grad(Loss{}, has_aux)(params, state, mode, batch...);
      }
    }();
    auto [d, m] = updated(static_cast<Links*>(nullptr), h, g, memory, params, step, rows);
    auto next = params;
    tree_map([](auto& w, auto const& change) { w = w + change; }, next, d);
    return std::tuple(outcome.first, next, outcome.second, m);
  }
};
// How many rows the first tensor of a batch has.
template <class First, class... Rest>
float rows_of_first(First const& first, Rest const&...) {
  if constexpr (!tree::Leaf<First>)
    return tree::apply([](auto const&... x) { return rows_of_first(x...); }, tree::members(first));
  else if constexpr (Tensor<First>)
    return rank_of<First> > 0 ? static_cast<float>(first.shape()[0]) : 1.f;
  else
    return 1.f;
}
template <class Loss, class O>
struct step_function {
  using links = decltype(links_of(std::declval<O const&>()));
  O optimiser;
  mutable decltype(prepared(traced_step<Loss, links>{})) traced{traced_step<Loss, links>{}};
  static_assert(only_first_scales_loss(static_cast<links*>(nullptr)),
                "nn::scaled is the outermost optimiser, and stands behind no other link");
  static_assert(has_its_rate(static_cast<links*>(nullptr)),
                "an optimiser ends with a rate: nn::adam{} | nn::constant{1e-3f}; behind it stands params_ema alone");
  template <class Run, class... Batch>
  float operator()(Run& r, Batch const&... batch) const {
    return [&](auto const&... all) {
      typename cost_of<std::remove_cvref_t<decltype(tracing::in_memory(all))>...>::type cost{};
      traced.into(cost, r.params, r.state, r.optimiser)(all...);
      ++r.step;
      return static_cast<float>(cost);
    }(links_of(optimiser), r.params, r.state, r.optimiser, r.key, r.step, rows_of_first(batch...), batch...);
  }

 private:
  template <class... A>
  using cost_of =
      std::tuple_element<0, typename tracing::result<tracing::call_itself, traced_step<Loss, links>, A...>::type>;
};
template <auto Loss, class O>
constexpr auto step_of(O const& o) {
  check_numbers(o);
  return step_function<std::remove_cvref_t<decltype(Loss)>, O>{o};
}

}  // namespace ricci::nn
