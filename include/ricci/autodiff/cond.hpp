// Branches in traced functions: `rc::cond(p, f, g, x...)`, one of two functions. They are recorded once (ops/loop.hpp);
// interpreted, they are branches of C++. Called with tensors they are computed at once.
#pragma once

#include <ricci/autodiff/transforms.hpp>
#include <ricci/transform/loops.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct cond_t : ir::operation_of_kind<ir::op_kind::loop, 255> {
  static constexpr auto name = "cond";
};

// A number's symbol as that of a tensor without axes: branches may return either.
struct without_weakness {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (is_weak<X>)
      return std::type_identity<symbol<typename X::value_type, extents<>, typename X::mode>>{};
    else
      return std::type_identity<X>{};
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<Kind>{};
  }
};
template <class Mode, class X>
constexpr auto as_strong_symbols(typename Mode::graph& g, X const& x) {
  auto const y = as_symbols<Mode>(g, x);
  tree::mapped_t<without_weakness, std::remove_const_t<decltype(y)>> z{};
  tree::for_each_leaf([](auto& to, auto const& from) { to.v = from.v; }, z, y);
  return z;
}

struct branching {
  template <class P, class F, class G, class... X>
  static constexpr auto apply(P const& p, F const& f, G const& h, X const&... x) {
    constexpr bool take_all = is_callable<F, std::tuple<X...>> && is_callable<G, std::tuple<X...>>;
    static_assert(take_all,
                  "cond: both functions take what stands behind them, each by `auto`; or their bodies do not compile, "
                  "which another message says");
    if constexpr (take_all)
      return recorded(p, f, h, x...);
    else
      return p;  // it is said what is wrong
  }

 private:
  template <class P, class F, class G, class... X>
  static constexpr auto recorded(P const& p, F const& f, G const& h, X const&... x) {
    using Mode = mode_t<P, X...>;
    auto& g = graph_in<Mode>(p, x...);
    static_assert(std::is_same_v<typename P::value_type, bool> && P::rank == 0, "cond: the condition is one bool");
    if constexpr (Mode::runs) {
      bool const taken = *static_cast<ir::eager_graph&>(g).elements<bool>(p.v.id);
      using Y = decltype(as_strong_symbols<Mode>(g, f(x...)));
      using Z = decltype(as_strong_symbols<Mode>(g, h(x...)));
      check<Y, Z>();
      if constexpr (std::is_same_v<Y, Z>)
        return taken ? as_strong_symbols<Mode>(g, f(x...)) : as_strong_symbols<Mode>(g, h(x...));
      else
        return p;  // it is said what is wrong
    } else {
      auto const count = ir::cast(p.v, dtype::int64);
      ir::loop_recorder<Mode> first(g, 1, count);
      auto y = as_strong_symbols<Mode>(g, f(x...));
      leaf_ids of_f;
      tree::for_each_leaf(
          [&](auto& leaf) {
            first.carry(first.zeros(leaf.v));
            of_f.id[of_f.count++] = leaf.v.id;
          },
          y);
      int at = first.end(of_f.all(), {}).id;
      tree::for_each_leaf([&](auto& leaf) { leaf.v = {&g, at++}; }, y);
      ir::loop_recorder<Mode> second(g, 1, ir::cast((!p).v, dtype::int64));
      auto const other = as_strong_symbols<Mode>(g, h(x...));
      check<decltype(y), std::remove_const_t<decltype(other)>>();
      leaf_ids of_h;
      tree::for_each_leaf(
          [&](auto& leaf, auto const& is) {
            second.carry(leaf.v);
            require_shape<cond_t>(is.v, leaf.v.shape_id());
            of_h.id[of_h.count++] = is.v.id;
          },
          y, other);
      at = second.end(of_h.all(), {}).id;
      tree::for_each_leaf([&](auto& leaf) { leaf.v = {&g, at++}; }, y);
      return y;
    }
  }

  template <class Y, class Z>
  static constexpr void check() {
    static_assert(std::is_same_v<Y, Z>, "cond: both functions return the same type (see the two types above)");
  }
};

// As a function of its arguments alone, which is compiled and called with tensors.
template <class F, class G>
struct cond_by {
  F f;
  G g;
  template <class P, class... X>
  constexpr auto operator()(P const& p, X const&... x) const {
    return branching::apply(p, f, g, x...);
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// f(x...) where the condition p, one bool, holds, else g(x...), which returns the same type and shapes. Only that one
// is computed; for a batch of conditions (vmap) both are. Either may read values of the function around it.
// Results whose types or extents differ are a compile error or a shape_error.
template <class P, class F, class G, class... X>
constexpr auto cond(P const& p, F const& f, G const& g, X const&... x) {
  if constexpr (tracing::is_value<F> || tracing::is_value<G>)
    return (void)sizeof(tracing::functions_in_their_places<F, G>), wrong::result{};
  else if constexpr (tracing::is_traced<P, X...>)
    return tracing::branching::apply(p, f, g, x...);
  else
    return fn(tracing::cond_by<F, G>{f, g})(p, x...);
}

}  // namespace ricci
