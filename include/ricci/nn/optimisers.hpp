// Optimisers: what is done with a gradient before it is added to the parameters, as structs of numbers that `|` joins.
// Each has `init(params)`, what it remembers, and `update(numbers, gradient, memory, params, step)`, which is traced
// and returns the pair of the new direction and memory; steps are counted from 0. A rate ends the chain and turns the
// direction downhill: `nn::adam{} | nn::constant{1e-3f}`.
#pragma once

#include <numbers>

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

template <class... Links>
struct chain {
  std::tuple<Links...> links;
};
template <class T>
concept Link = requires {
  &T::template update<int, int, int, int, int>;
}
|| requires(T const& t) { T::init(t); };

struct stateless_link {
  static auto init(auto const&) { return std::tuple<>{}; }
};

// The gradient divided by its norm over all parameters where that is above `norm`, times it (R. Pascanu, T. Mikolov, Y.
// Bengio, 2013).
struct clip_by_global_norm {
  float norm;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [norm] = h;
    auto const scale = norm / maximum(sqrt(tree_vdot(g, g)), norm);
    tree_map([&](auto& d) { d = d * scale; }, g);
    return std::pair(g, s);
  }
};
// Adam (D. P. Kingma, J. Ba, 2015).
struct adam {
  float b1 = .9f, b2 = .999f, eps = 1e-8f;
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return std::pair(zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [b1, b2, eps] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const r1 = 1.f / (1.f - pow(b1, t)), r2 = 1.f / (1.f - pow(b2, t));
    tree_map(
        [b1 = b1, b2 = b2, eps = eps, r1, r2](auto& d, auto& m, auto& v) {
          m = b1 * m + (1.f - b1) * d;
          v = b2 * v + (1.f - b2) * d * d;
          d = r1 * m / (sqrt(r2 * v) + eps);
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};
// Adds `decay` times the parameters (behind Adam: AdamW, I. Loshchilov, F. Hutter, 2019).
struct add_decayed_weights {
  float decay;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const&) {
    auto const& [decay] = h;
    tree_map([decay = decay](auto& d, auto const& w) { d = d + decay * w; }, g, params);
    return std::pair(g, s);
  }
};
// The rate of every step.
struct constant {
  float value;
  static constexpr bool is_rate = true;
  static auto init(auto const&) { return std::tuple<>{}; }
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
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto rate(auto const& h, auto const& step) {
    auto const& [peak, warmup, total, end] = h;
    auto const t = astype<float>(step);
    auto const done = minimum(maximum((t - warmup) / (total - warmup), 0.f), 1.f);
    return where(t < warmup, peak * t / warmup,
                 end + (peak - end) * .5f * (1.f + cos(std::numbers::pi_v<float> * done)));
  }
};

template <class A>
inline constexpr bool is_chain = false;
template <class... L>
inline constexpr bool is_chain<chain<L...>> = true;
template <class A>
concept Optimiser =
    is_chain<A> ||(std::is_aggregate_v<A>&& requires(std::tuple<> const& t) { A::init(t); }) || requires {
  A::needs_rate;
}
|| requires { A::is_rate; };
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
    if constexpr (requires { link::is_rate; }) {
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
  return !(requires { L::needs_rate; } || ...) || (requires { L::is_rate; } || ...);
}

}  // namespace ricci::nn
