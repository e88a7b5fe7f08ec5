// Lookahead (M. R. Zhang, J. Lucas, G. Hinton, J. Ba, 2019): the parameters take `period` steps of an optimiser, and
// then go back to where they were, but for `part` of the way.
//
//   auto const o = nn::lookahead(nn::adam{} | nn::constant{1e-3f}, {.period = 6, .part = .5f});
#pragma once

#include <ricci/nn/wrappers.hpp>

namespace ricci::nn {

struct lookahead_options {
  std::int64_t period = 6;
  float part = .5f;
};
template <class... L>
struct lookahead_link {
  std::int64_t period;
  float part;
  std::tuple<L...> links;
  static constexpr bool has_rate = true, takes_weight = true;
  static constexpr std::tuple<L...> const* inner = nullptr;
  static constexpr auto const& inner_memory(auto const& m) { return m.second; }
  static constexpr bool leaves_out = (leaves_steps_out<L> || ...);
  static auto init(auto const& p) { return std::pair(p, memories_of(inner, p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const& step,
                               auto const& weight) {
    auto const& [period, given_part, numbers] = h;
    auto& [slow, memory] = s;
    auto const [d, next] = updated(inner, numbers, g, memory, params, step, weight);
    auto const is_last = remainder(step + 1, period) == 0;
    g = d;
    update_leaves(
        [part = given_part, is_last](auto& way, auto& from, auto const& w) {
          from = where(is_last, from + part * (w + way - from), from);
          way = where(is_last, from - w, way);
        },
        g, slow, params);
    return std::pair(g, std::pair(slow, next));
  }
};
// `period` below 1 is a value_error.
template <Optimiser O>
constexpr auto lookahead(O const& o, lookahead_options const& options = {}) {
  if (options.period < 1)
    core::raise<value_error>(core::text() << "nn::lookahead: a period of " << index_t(options.period)
                                          << " steps, where at least 1 was expected");
  return [&]<class... L>(std::tuple<L...> const& all) {
    static_assert(all_have_rates(static_cast<std::tuple<L...>*>(nullptr)),
                  "nn::lookahead takes an optimiser that ends with a rate");
    return lookahead_link<L...>{options.period, options.part, all};
  }(links_of(o));
}

}  // namespace ricci::nn
