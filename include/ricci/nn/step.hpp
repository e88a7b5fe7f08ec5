// `nn::start` makes a run, all that a training knows; `nn::step_of<loss>(optimiser)` is one step of it, traced as one
// function: forward, backward, all links of the optimiser and the update.
#pragma once

#include <ricci/autodiff/has_aux.hpp>
#include <ricci/autodiff/transforms.hpp>
#include <ricci/core/subnormals.hpp>
#include <ricci/nn/chain.hpp>
#include <ricci/nn/held_run.hpp>
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

template <class Params, class State, Optimiser O>
using run_of = run<Params, State,
                   decltype(memories_of(static_cast<decltype(links_of(std::declval<O const&>()))*>(nullptr),
                                        std::declval<Params const&>()))>;
template <class T>
struct moved_to {
  T& to;
  void operator()(T& from) const { to = std::move(from); }
};
// What the links of an optimiser remember before the first step.
template <class... L, class Memory, class Params>
void begin_memory(std::tuple<L...> const*, Memory& memory, Params const& params) {
  std::apply([&](auto&... m) { (aside([&] { return memory_of<L>(params); }, moved_to{m}), ...); }, memory);
}
// A run of more bytes than this lies on the heap, where there is one.
inline constexpr std::size_t most_of_run_in_place = 256 * 1024;

template <class Params, class State, class O>
auto start(Params const& params, State const& state, O const& o, key const& k) {
  using links = decltype(links_of(o));
  using all = run_of<Params, State, O>;
  if constexpr (core::has_heap && sizeof(all) > most_of_run_in_place) {
    held_run<all> r(new all{params, state, {}, 0, 0, 0, 0, k});
    begin_memory(static_cast<links*>(nullptr), r.optimiser, params);
    return r;
  } else {
    all r{params, state, {}, 0, 0, 0, 0, k};
    begin_memory(static_cast<links*>(nullptr), r.optimiser, params);
    return r;
  }
}

// without the state, which has its place
template <class Params, Optimiser O>
Params start(Params const& params, O const&, key const&) {
  static_assert(!Optimiser<O>,
                "the state stands behind the parameters, std::tuple<>{} where there is none: nn::start(params, state, "
                "optimiser, key)");
  return params;
}

template <class Loss, class Links>
struct traced_step {
  template <class... Batch>
  constexpr auto operator()(auto const& h, auto const& params, auto const& state, auto const& memory, auto const& seed,
                            auto const& step, auto const& rows, Batch const&... batch) const {
    using Mode = typename std::remove_cvref_t<decltype(step)>::mode;
    using first = std::tuple_element_t<0, Links>;
    training<symbols<Mode>> const mode{random::fold_in(random::fold_in(seed, child_of_steps), step)};
    auto const derived = [&] {
      if constexpr (derives_loss<first>) {
        return first::template derived<Loss>(std::get<0>(h), std::get<0>(memory), params, state, mode, batch...);
      } else {
        static_assert(
            tracing::is_callable<Loss,
                                 std::tuple<std::remove_cvref_t<decltype(params)>, std::remove_cvref_t<decltype(state)>,
                                            training<symbols<Mode>>, Batch...>>,
            "the loss of nn::step_of is called as loss(model, state, mode, tensors...), with the tensors "
            "that stand behind the run; or its body does not compile, which another message says");
        return value_and_grad(Loss{}, has_aux)(params, state, mode, batch...);
      }
    }();
    if constexpr (std::is_same_v<decltype(derived), tracing::no_result const>) {
      return derived;
    } else {
      auto const& outcome = derived.first;
      auto [d, m] = updated(static_cast<Links*>(nullptr), h, derived.second, memory, params, step, rows);
      auto next = params;
      update_leaves([](auto& w, auto const& change) { w = w + change; }, next, d);
      return std::tuple(outcome.first, next,
                        state_of_taken(static_cast<Links*>(nullptr), memory, m, state, outcome.second), m);
    }
  }
};
// What a step is taken of.
template <class R>
concept Run = requires(R r) {
  r.params, r.state, r.optimiser, r.key, r.step;
};
template <class R, class Links>
struct step_of_run {
  static_assert(Run<R>,
                "a step is taken by a run, which nn::start(params, state, optimiser, key) makes, with the "
                "tensors of a batch behind it");
};
template <Run R, class Links>
struct step_of_run<R, Links> {
  static_assert(std::is_same_v<std::remove_reference_t<decltype(R::optimiser)>,
                               decltype(memories_of(static_cast<Links*>(nullptr), std::declval<R&>().params))>,
                "the run was started with another optimiser than the step has: it remembers other things");
};
// How many rows the first tensor of a batch has; 1 where there is none.
constexpr float rows_of_first() { return 1.f; }
template <class First, class... Rest>
float rows_of_first(First const& first, Rest const&...) {
  if constexpr (!tree::Leaf<First>)
    return tree::apply([](auto const&... x) { return rows_of_first(x...); }, tree::members(first));
  else if constexpr (Tensor<First>)
    return rank_of<First> > 0 ? static_cast<float>(first.shape()[0]) : 1.f;
  else
    return 1.f;
}
// A step function keeps memory that its calls work in: one thread at a time calls it, and threads make one each.
template <class Loss, class O>
struct step_function {
  using links = decltype(links_of(std::declval<O const&>()));
  O optimiser;
  mutable decltype(prepared(traced_step<Loss, links>{})) traced{traced_step<Loss, links>{}};
  static_assert(only_first_derives_loss(static_cast<links*>(nullptr)),
                "nn::scaled is the outermost optimiser, and stands behind no other link; nn::clip_per_example and "
                "nn::differentially_private are the first link of an optimiser");
  static_assert(has_its_rate(static_cast<links*>(nullptr)),
                "an optimiser ends with a rate: nn::adam{} | nn::constant{1e-3f}; behind it stands params_ema alone");
  static_assert(has_one_rate(static_cast<links*>(nullptr)),
                "an optimiser has one rate, behind adam and its like: nn::adam{} | nn::constant{1e-3f}; of several, "
                "nn::join(a, 100, b) takes one after the other");
  template <class R, class... Batch>
  float operator()(R& r, Batch const&... batch) const {
    (void)sizeof(step_of_run<R, links>);
    if constexpr (Run<R>) return taken(r, batch...);
    return 0;
  }

 private:
  template <class R, class... Batch>
  float taken(R& r, Batch const&... batch) const {
    flush_subnormals const in_a_step;  // moments of what has no gradient any more decay to them
    return [&](auto const&... all) {
      using results = results_of<std::remove_cvref_t<decltype(tracing::in_memory(all))>...>;
      if constexpr (tree::is_tuple<results>) {
        std::tuple_element_t<0, results> cost{};
        traced.into(cost, r.params, r.state, r.optimiser)(all...);
        ++r.step;
        return static_cast<float>(cost);
      } else {
        return 0.f;
      }
    }(links_of(optimiser), r.params, r.state, r.optimiser, r.key.item(), r.step, rows_of_first(batch...), batch...);
  }
  template <class... A>
  using results_of = typename tracing::result<tracing::call_itself, traced_step<Loss, links>, A...>::type;
};
template <auto Loss, class O>
constexpr auto step_of(O const& o) {
  check_numbers(o);
  return step_function<std::remove_cvref_t<decltype(Loss)>, O>{o};
}

}  // namespace ricci::nn
