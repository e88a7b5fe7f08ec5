// Optimisers: what is done with a gradient before it is added to the parameters, as structs of numbers that `|` joins.
// Each has `init(params)`, what it remembers, and `update(numbers, gradient, memory, params, step)`, which is traced
// and returns the pair of the new direction and memory; steps are counted from 0. A rate ends the chain and turns the
// direction downhill: `nn::adam{} | nn::constant{1e-3f}`.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree.hpp>

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
concept Link = std::is_aggregate_v<A> &&(Rate<A> || requires(std::tuple<> const& none) { A::init(none); });
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

// One link after the other, in a trace.
template <class... L>
constexpr auto updated(std::tuple<L...>*, auto const& h, auto g, auto s, auto const& params, auto const& step) {
  auto const one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    using link = std::tuple_element_t<I, std::tuple<L...>>;
    auto const& numbers = std::get<I>(h);
    if constexpr (Rate<link>) {
      auto const r = link::rate(numbers, step);
      tree_map([&](auto& d) { d = -r * d; }, g);
    } else {
      auto [d, m] = link::update(numbers, g, std::get<I>(s), params, step);
      g = d;
      std::get<I>(s) = m;
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::integral_constant<std::size_t, I>{}), ...); }
  (std::index_sequence_for<L...>{});
  return std::pair(g, s);
}
template <class... L>
constexpr bool has_its_rate(std::tuple<L...>*) {
  return !(requires { L::needs_rate; } || ...) || (Rate<L> || ...);
}

}  // namespace ricci::nn
