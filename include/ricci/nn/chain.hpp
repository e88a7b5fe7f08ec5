// Optimisers: what is done with a gradient before it is added to the parameters, as structs of numbers that `|` joins.
// Each has `init(params)`, what it remembers, and `update(numbers, gradient, memory, params, step)`, which is traced
// and returns the pair of the new direction and memory; steps are counted from 0. A rate ends the chain and turns the
// direction downhill: `nn::adam{} | nn::constant{1e-3f}`.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree.hpp>
#include <ricci/autodiff/tree_map.hpp>
#include <ricci/nn/update_leaves.hpp>
#include <ricci/ops/select.hpp>

namespace ricci::nn {

template <class... Links>
struct chain {
  std::tuple<Links...> links;
};
template <class A>
inline constexpr bool is_chain = false;
template <class... L>
inline constexpr bool is_chain<chain<L...>> = true;
template <class A>
concept Rate = requires {
  requires A::is_rate;
};
template <class A>
concept Link = std::is_aggregate_v<A> &&(
    Rate<A> || requires { A::takes_weight; } || requires(std::tuple<> const& none) { A::init(none); });
template <class A>
concept Optimiser = is_chain<A> || Link<A>;

// What a link remembers before the first step.
template <Link L>
auto memory_of(auto const& params) {
  if constexpr (Rate<L>)
    return std::tuple<>{};
  else
    return L::init(params);
}
// Zeros like the parameters, twice: made where they are returned to, as parameters may be megabytes.
template <class P>
auto two_zeros_like(P const& p) {
  using Z = decltype(zeros_like(p));
  std::pair<Z, Z> both{};
  tree::become_zeros(both.first, p);
  tree::become_zeros(both.second, p);
  return both;
}
template <class... L>
auto memories_of(std::tuple<L...> const*, auto const& params) {
  return std::tuple<decltype(memory_of<L>(params))...>(memory_of<L>(params)...);
}
template <class A>
constexpr auto links_of(A const& a) {
  if constexpr (is_chain<A>)
    return a.links;
  else
    return std::tuple<A>(a);
}
template <Optimiser A, Optimiser B>
constexpr auto operator|(A const& a, B const& b) {
  auto const all = std::tuple_cat(links_of(a), links_of(b));
  return [&]<class... L>(std::tuple<L...> const& t) { return chain<L...>{t}; }(all);
}

// An operand that is no optimiser: a compile error that says so.
template <class A, class B>
requires(Optimiser<A> != Optimiser<B>)  //
    constexpr auto
    operator|(A const& a, B const& b) {
  static_assert(Optimiser<A> && Optimiser<B>,
                "what | joins are optimisers: a rate is nn::constant{1e-3f} or another schedule, and a link of one's "
                "own an aggregate of numbers with init(params) and update(numbers, gradient, memory, params, step)");
  if constexpr (Optimiser<A>)
    return a;
  else
    return b;
}

// Calls `check()` of each link that has it, which raises an error where a number is of no use; also of those that other
// links hold.
template <class A>
constexpr void check_numbers(A const& a) {
  if constexpr (requires { a.check(); })
    a.check();
  else if constexpr (std::is_class_v<A> && !tree::Leaf<A>)
    tree::apply([](auto const&... part) { (check_numbers(part), ...); }, tree::members(a));
}

// a where `condition`, one bool, holds, else b, leaf by leaf.
template <class X>
constexpr X chosen(auto const& condition, auto const& a, X const& b) {
  X x = b;
  tree::for_each_leaf([&](auto& to, auto const& other) { to = where(condition, other, to); }, x, a);
  return x;
}
// Whether a link leaves steps out, or one within it.
template <class L>
inline constexpr bool leaves_steps_out = requires {
  requires L::leaves_out;
};
// The state behind a step: that of before, where a link that leaves steps out, by `is_taken(memory before, memory
// behind)`, or one within it, left this one out: what is not finite would stay in the means of a batch norm.
template <class... L>
constexpr auto state_of_taken(std::tuple<L...> const*, auto const& memory, auto const& next_memory, auto const& state,
                              auto next_state) {
  [[maybe_unused]] auto const one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    using link = std::tuple_element_t<I, std::tuple<L...>>;
    [[maybe_unused]] auto const &before = std::get<I>(memory), &behind = std::get<I>(next_memory);
    if constexpr (requires { link::is_taken(before, behind); })
      next_state = chosen(link::is_taken(before, behind), next_state, state);
    if constexpr (requires { link::inner_memory(before); })
      next_state =
          state_of_taken(link::inner, link::inner_memory(before), link::inner_memory(behind), state, next_state);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::integral_constant<std::size_t, I>{}), ...); }
  (std::index_sequence_for<L...>{});
  return next_state;
}

// One link after the other, in a trace. `weight` is how much the batch counts beside others, the number of its rows.
template <class... L>
constexpr auto updated(std::tuple<L...> const*, auto const& h, auto g, auto s, auto const& params, auto const& step,
                       auto const& weight) {
  auto const one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    using link = std::tuple_element_t<I, std::tuple<L...>>;
    auto const& numbers = std::get<I>(h);
    if constexpr (Rate<link>) {
      auto const r = link::rate(numbers, step);
      update_leaves([&](auto& d) { d = -r * d; }, g);
    } else {
      auto [d, m] = [&] {
        if constexpr (requires { link::takes_weight; })
          return link::update(numbers, g, std::get<I>(s), params, step, weight);
        else
          return link::update(numbers, g, std::get<I>(s), params, step);
      }();
      g = d;
      std::get<I>(s) = m;
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::integral_constant<std::size_t, I>{}), ...); }
  (std::index_sequence_for<L...>{});
  return std::pair(g, s);
}
template <class... L>
constexpr auto updated(std::tuple<L...> const* links, auto const& h, auto const& g, auto const& s, auto const& params,
                       auto const& step) {
  return updated(links, h, g, s, params, step, 1.f);
}

// What links that hold others say of them: that these have a rate, or need one behind them.
template <class L>
inline constexpr bool has_rate = Rate<L>;
template <class L>
requires requires { L::has_rate; }
inline constexpr bool has_rate<L> = L::has_rate;
template <class L>
inline constexpr bool needs_rate = false;
template <class L>
requires requires { L::needs_rate; }
inline constexpr bool needs_rate<L> = L::needs_rate;
template <class L>
inline constexpr bool is_behind_rate = requires {
  L::behind_rate;
};

// that its steps do not depend on how large gradients are, so that a rate before it would be lost
template <class L>
inline constexpr bool forgets_scale = requires {
  L::forgets_scale;
};

// that it, or a link that it holds, adds up the gradients of several batches
template <class L>
constexpr bool adds_up_batches() {
  if constexpr (requires { L::adds_up_batches; })
    return true;
  else if constexpr (requires { L::inner; })
    return []<class... M>(std::tuple<M...> const*) { return (nn::adds_up_batches<M>() || ...); }(L::inner);
  else
    return false;
}

// that it derives the loss itself, by `derived<Loss>(numbers, memory, params, state, mode, batch...)`, which returns
// the pair of what the loss returned and the gradient
template <class L>
inline constexpr bool derives_loss = requires {
  L::derives_loss;
};

template <class... L>
constexpr bool has_its_rate(std::tuple<L...> const*) {
  bool rate = false, needed = false, good = true;
  ((good = good && !(is_behind_rate<L> && !rate), rate = rate || has_rate<L>, needed = needed || needs_rate<L>), ...);
  return good && (rate || !needed);
}
template <class... L>
constexpr bool has_one_rate(std::tuple<L...> const*) {
  bool rate = false, good = true;
  ((good = good && !(rate && (has_rate<L> || forgets_scale<L>)), rate = rate || has_rate<L>), ...);
  return good;
}
template <class... L>
constexpr bool all_have_rates(std::tuple<L...> const*) {
  static_assert(!(derives_loss<L> || ...),
                "nn::scaled is the outermost optimiser, and stands in no other; nn::clip_per_example and "
                "nn::differentially_private are the first link of the outermost one");
  return (has_rate<L> || ...);
}
// What derives the loss itself does so before all else, so that nothing stands before it.
template <class First, class... L>
constexpr bool only_first_derives_loss(std::tuple<First, L...> const*) {
  return !(derives_loss<L> || ...);
}

}  // namespace ricci::nn
