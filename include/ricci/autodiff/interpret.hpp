// `rc::interpret(f)(x, y)`: f, one operation after another, each computed when it is reached. Nothing is traced by the compiler, so
// f may hold run-time values, branch on them, and print what it has so far; and it builds quickly. What it computes is what the
// compiled way computes, without rewriting.
#pragma once

#include <ricci/autodiff/call.hpp>
#include <ricci/exec/interpret/run.hpp>

namespace ricci {

namespace trace {

// An argument of an interpreted function: its elements are copied, in row-major order.
template <class S, class X>
void give_elements(ir::eager_graph& g, S& s, X const& x) {
  using T = typename S::value_type;
  shape_t shape{};
  if constexpr (std::is_arithmetic_v<X>) {
    s.v = ir::argument<ir::eager>(g, dtype_of<T>, shape, g.size);
    *g.allocate<T>(s.v.id) = static_cast<T>(x);
  } else {
    for (int k = 0; k < X::rank; ++k) shape.push(x.extent_values()[k]);
    s.v = ir::argument<ir::eager>(g, dtype_of<T>, shape, g.size);
    T* const to = g.allocate<T>(s.v.id);
    auto const strides = x.stride_values();
    ir::counter at{g.shape(s.v.id)};
    index_t const n = size_of(shape);
    for (index_t k = 0; k < n; ++k, at.next()) {
      index_t from = 0;
      for (int d = 0; d < shape.rank; ++d) from += at.at[d] * strides.values[d];
      to[k] = x.data()[from];
    }
  }
}
template <class X, class S>
void take_elements(X& result, ir::eager_graph& g, S const& s) {
  using T = typename X::value_type;
  int id = 0;
  if constexpr (is_symbol<S>) id = s.v.id;
  else id = lifted<ir::eager>(static_cast<ir::eager::graph&>(g), s, dtype::none).id;
  if constexpr (X::shared) result.resize(g.shape(id).extent, 1);
  T const* from = g.elements<T>(id);
  index_t const n = size_of(g.shape(id));
  for (index_t k = 0; k < n; ++k) result.data()[k] = from[k];
}

template <class F>
struct interpreted {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) return f(a...);
    else return run(in_memory(a)...);
  }

 private:
  template <class... A>
  auto run(A const&... a) const {
    ir::eager_graph g;
    std::tuple<tree::twin_t<ir::eager, A>...> args{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (tree::for_each_leaf([&](auto& s, auto const& x) { give_elements(g, s, x); }, std::get<I>(args), a), ...);
    }(std::make_index_sequence<sizeof...(A)>{});
    auto const out = tree::apply(f, args);
    tree::owned_t<decltype(out)> result{};
    tree::for_each_leaf([&](auto& to, auto const& s) { take_elements(to, g, s); }, result, out);
    return result;
  }
};

}  // namespace trace

template <class F>
constexpr auto interpret(F const& f) {
  return trace::interpreted<F>{f};
}

// A tensor that an interpreted function captured.
template <class X>
ir::value<ir::eager> constant_of(ir::value<ir::eager> at, X const& x) {
  auto&& elements = trace::in_memory(x);
  symbol<typename X::value_type, typename X::extents, ir::eager> s;
  trace::give_elements(static_cast<ir::eager_graph&>(*at.g), s, elements);
  return s.v;
}

}  // namespace ricci
