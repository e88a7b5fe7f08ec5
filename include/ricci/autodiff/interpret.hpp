// `rc::interpret(f)(x, y)`: f, one operation after another, each computed when it is reached. Nothing is traced by the
// compiler, so f may hold run-time values, branch on them, and print what it has so far; and it builds quickly. What it
// computes is what the compiled way computes, without rewriting.
#pragma once

#include <ricci/autodiff/linearize.hpp>
#include <ricci/autodiff/made.hpp>
#include <ricci/autodiff/vjp.hpp>
#include <ricci/exec/interpret/constant.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// An argument of an interpreted function.
template <class S, class X>
constexpr void give_elements(ir::eager_graph& g, S& s, X const& x) {
  if constexpr (requires { X::memory_space; })
    give_elements(g, s, eval(x, exec::default_context{}));
  else if constexpr (is_arithmetic<X>)
    s.v = exec::constant_value(g, number_leaf<typename S::value_type>{scalar::convert<typename S::value_type>(x)});
  else
    s.v = exec::constant_value(g, x);
}
template <class Leaf, class S>
constexpr void take_elements(Leaf& leaf, ir::eager_graph& g, S const& s) {
  auto&& result = as_target(leaf);
  using X = std::remove_cvref_t<decltype(result)>;
  using T = typename X::value_type;
  int id = 0;
  if constexpr (is_symbol<S>)
    id = value_in(static_cast<ir::eager::graph&>(g), s).id;
  else
    id = lifted<ir::eager>(static_cast<ir::eager::graph&>(g), s, dtype::none).id;
  T const* from = g.elements<T>(id);
  index_t const n = size_of(g.shape(id));
  auto const copy = [&](T* to) {
    for (index_t k = 0; k < n; ++k) to[k] = from[k];
  };
  if constexpr (requires { X::memory_space; }) {
    result = storage::written(X(typename X::raw{}, g.shape(id).extent, {}), copy);
  } else {
    if constexpr (X::shared) result.resize(g.shape(id).extent, {});
    copy(result.data());
  }
}

template <class F>
struct interpreted {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...))
      return f(a...);
    else
      return run(in_memory(a)...);
  }

 private:
  template <class... A>
  constexpr auto run(A const&... a) const {
    core::require_heap<sizeof...(A) + 1 ? core::unknown_bytes
                                        : 0>();  // for its graph; clang checks at once what depends on no argument
    ir::eager_graph g;
    auto args = tree::made<std::tuple<tree::symbolic_t<ir::eager, A>...>>();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (tree::for_each_leaf([&](auto& s, auto const& x) { give_elements(g, s, x); }, std::get<I>(args), a), ...);
    }
    (std::make_index_sequence<sizeof...(A)>{});
    auto const out = applied(f, args);
    auto result = tree::made<tree::owned_t<decltype(out), tree::memory_of<A...>>>();
    tree::for_each_leaf([&](auto& to, auto const& s) { take_elements(to, g, s); }, result, out);
    return result;
  }
};

// jvp and vjp take their arguments in two steps.
template <class F, class... A>
struct interpreted_jvp_at {
  jvp_waiting_for_tangents<F, A...> at;
  template <class... T>
  constexpr auto operator()(T const&... tangents) const {
    return at.template under<interpreted<transformed<pushforward, F>>>(tangents...);
  }
};
template <class F>
struct interpreted_jvp {
  jvp_of<F> f;
  template <class... A>
  constexpr auto operator()(A&&... a) const {
    return interpreted_jvp_at<F, A...>{f(static_cast<A&&>(a)...)};
  }
};
// The pullback of an interpreted function computes its value again.
template <class F, class... A>
struct interpreted_pull {
  F f;
  std::tuple<A...> arguments;
  template <class Ct>
  constexpr auto operator()(Ct const& cotangent) const {
    return tree::apply(
        [&](auto const&... a) { return interpreted<transformed<pullback, F>>{{f}}(a..., in_memory(cotangent)).second; },
        arguments);
  }
};
// So does the pushforward.
template <class F, class... A>
struct interpreted_push {
  F f;
  std::tuple<A...> arguments;
  template <class... T>
  constexpr auto operator()(T const&... tangents) const {
    static_assert(sizeof...(T) == sizeof...(A), "linearize: one tangent for every argument");
    return tree::apply(
        [&](auto const&... a) {
          return interpreted<transformed<pushforward, F>>{{f}}(a..., in_memory(tangents)...).second;
        },
        arguments);
  }
};
template <class F>
struct interpreted_linearize {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    constexpr int memory = tree::memory_of<A...>;
    return std::pair(interpreted<F>{f}(a...), interpreted_push<F, tree::owned_t<A, memory>...>{
                                                  f, std::tuple<tree::owned_t<A, memory>...>(a...)});
  }
};
template <class F>
struct interpreted_vjp {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    constexpr int memory = tree::memory_of<A...>;
    return std::pair(interpreted<F>{f}(a...), interpreted_pull<F, tree::owned_t<A, memory>...>{
                                                  f, std::tuple<tree::owned_t<A, memory>...>(a...)});
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `rc::interpret(f)(x...)`, f a function or a transformed one: what f returns, as owning tensors. Errors are raised by
// the operation that finds them. Functions of static extents are interpreted in constant expressions, too.
template <class F>
constexpr auto interpret(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::interpreted<F>{f};
}
template <class F>
constexpr auto interpret(tracing::jvp_of<F> const& f) {
  return tracing::interpreted_jvp<F>{f};
}
template <class F>
constexpr auto interpret(tracing::vjp_of<F> const& f) {
  return tracing::interpreted_vjp<F>{f.f};
}
template <class F>
constexpr auto interpret(tracing::linearize_of<F> const& f) {
  return tracing::interpreted_linearize<F>{f.f};
}

// A tensor that an interpreted function captured.
template <class X>
ir::value<ir::eager> constant_of(ir::value<ir::eager> at, X const& x) {
  auto&& elements = tracing::in_memory(x);
  symbol<typename X::value_type, typename X::extents, ir::eager> s;
  tracing::give_elements(static_cast<ir::eager_graph&>(*at.g), s, elements);
  return s.v;
}

}  // namespace ricci
