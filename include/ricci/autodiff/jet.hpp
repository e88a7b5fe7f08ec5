// Derivatives along a line, by Taylor mode: `auto series = rc::jet<3>(f)(x, v);` has f(x + t v) and its first three
// derivatives by t at 0.
//
// Each operation's rule pushes the tangents of one order to those of the next, and of every recorded instruction this
// is done once: the tangent of a derivative is the next derivative. Equal instructions are merged as they are recorded,
// so what orders have in common is there once, and the number of instructions grows with a power of the order. (Nested
// calls of rc::jvp, which start anew each time, double it with every order before they are merged; and rc::interpret
// merges nothing, so that there each order costs a few times the one before.)
#pragma once

#include <ricci/autodiff/functions.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct direction_of_jet : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "jet, a direction";
};

// Value and K derivatives; the arguments are followed by their directions.
template <int K>
struct taylor {
  static_assert(K >= 0, "jet<K>: the value and K derivatives");

  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    static_assert(sizeof...(S) % 2 == 0, "jet takes the function's arguments and then a direction for each of them");
    return split(f, std::make_index_sequence<sizeof...(S) / 2>{}, std::tuple<S const&...>(s...));
  }

 private:
  template <class F, std::size_t... I, class All>
  static constexpr auto split(F const& f, std::index_sequence<I...>, All const& all) {
    constexpr std::size_t n = sizeof...(I);
    using Mode = mode_t<std::tuple_element_t<I, All>..., std::tuple_element_t<n + I, All>...>;
    (pushforward::check<std::remove_cvref_t<std::tuple_element_t<I, All>>,
                        std::remove_cvref_t<std::tuple_element_t<n + I, All>>>(),
     ...);
    auto& g = graph_in<Mode>(std::get<I>(all)..., std::get<n + I>(all)...);
    int const begin = g.size;
    auto const args = with_fresh<Mode, int(I)...>(g, std::get<I>(all)...);
    auto const out = applied(f, args);
    leaf_ids outs, wrt;
    collect<Mode>(g, out, outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    collect<Mode>(g, args, wrt);
    std::tuple<std::tuple_element_t<n + I, All>...> const given(std::get<n + I>(all)...);
    std::array<std::remove_const_t<decltype(out)>, K + 1> series{out};
    series[0] = with_ids<Mode>(g, out, outs.id);
    push_orders<Mode>(g, begin, wrt, pushforward::directions<Mode, direction_of_jet>(g, wrt, given), outs, series);
    return series;
  }

  template <class Mode, class Series>
  static constexpr void push_orders(typename Mode::graph& g, int begin, leaf_ids const& wrt, leaf_ids const& directions,
                                    leaf_ids const& outs, Series& series) {
    using storage = typename Mode::graph::storage;
    typename storage::template array<int, ir::capacity> tangent{};
    typename storage::template array<bool, ir::capacity> is_pushed{};
    storage::reserve(tangent, g.size);
    for (int k = 0; k < wrt.count; ++k) tangent[wrt.id[k]] = directions.id[k];
    leaf_ids last = outs;
    for (int order = 1; order <= K; ++order) {
      typename storage::template array<bool, ir::capacity> needed{};
      int const end = g.size;
      storage::reserve(tangent, end), storage::reserve(is_pushed, end), storage::reserve(needed, end);
      transform::mark_needed(g, begin, last.all(), needed);
      for (int k = begin; k < end; ++k) {
        if (!needed[k] || is_pushed[k]) continue;
        is_pushed[k] = true;
        transform::push_forward<Mode>(g, k, k + 1, tangent);
      }
      for (int k = 0; k < outs.count; ++k) last.id[k] = tangent[last.id[k]];
      leaf_ids filled = last;
      fill_zeros<Mode>(g, outs, filled.id);
      series[std::size_t(order)] = without_numbers(with_ids<Mode>(g, series[0], filled.id));
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `rc::jet<K>(f)(x, v)`: an array of K + 1 results of f's structure, the value and the first K derivatives of f(x + t
// v) by t at 0 (they are not divided by factorials). Of several arguments, directions follow all of them, in their
// order: `rc::jet<2>(f)(x, y, vx, vy)`; each has the structure and shapes of its argument, or broadcasts to them.
template <int K, class F>
constexpr auto jet(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::taylor<K>, F>{f};
}

}  // namespace ricci
