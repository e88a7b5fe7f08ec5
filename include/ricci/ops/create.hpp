// Creation inside traced functions, of their arguments' extents and numbers: what rc::full, rc::arange, rc::linspace
// and rc::eye (tensor/create.hpp) are where a shape or a number is a symbol.
#pragma once

#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// x.shape(0) of a symbol
template <class T>
concept TracedExtent = is_symbolic_dim<T> || is_known_extent<T>;

namespace ir {

// the identity matrix (n, n), as one vector behind the other
template <class Mode>
constexpr value<Mode> identity(typename Mode::graph& g, index_t n, dtype type) {
  index_t const start = 0, step = plus(g, n, 1);
  auto const all = [&](double number, index_t size) {
    return literal<Mode>(g, number, type, intern(g, shape_t{1, {size}}));
  };
  return update_slice(all(0, times(g, n, n)), all(1, n), &start, &step);
}

}  // namespace ir

namespace tracing {
inline namespace RICCI_ABI {

template <class V>
inline constexpr bool is_number = TracedExtent<V>;
template <class V>
requires is_symbol<V>
inline constexpr bool is_number<V> = V::rank == 0;

// The trace that shapes and numbers belong to: its mode, and the graph of the first that has one.
template <class... A>
struct creation : mode_of<A...> {};
template <class... D, class... Rest>
struct creation<shape_argument<D...>, Rest...> : mode_of<D..., Rest...> {};

constexpr shapes::no_graph graph_of_creation() { return {}; }
template <class A, class... Rest>
constexpr auto graph_of_creation(A const& a, Rest const&... rest) {
  if constexpr (requires { requires A::is_symbolic; } || TracedExtent<A>)
    return a.g;
  else if constexpr (is_symbol<A>)
    return a.v.g;
  else
    return graph_of_creation(rest...);
}
// a number in every place
template <class T, class S, class V>
constexpr auto full(S const& s, V const& value) {
  using Mode = typename creation<S, V>::type;
  auto& g = *graph_of_creation(s, value);
  shape_t shape{};
  if constexpr (shapes::is_extents<S>)
    shape = S::value;
  else
    for (index_t const e : s.values) shape.push(e);
  using E = std::conditional_t<shapes::is_extents<S>, S, dynamic_extents<S::rank>>;
  auto const number = ir::cast(lifted<Mode>(g, value, dtype_of<T>), dtype_of<T>);
  return symbol<T, E, Mode>{ir::broadcast_to(number, ir::requested(g, shape))};
}

// 0, 1, ... n - 1 as numbers of type T
template <class T, class Mode>
constexpr auto positions(typename Mode::graph& g, index_t n) {
  (void)ir::requested(g, shape_t{1, {n}});
  return symbol<T, extents<dyn>, Mode>{ir::cast(ir::positions<Mode>(g, n), dtype_of<T>)};
}
template <class T, class A, class B>
constexpr auto arange(A const& start, B const& stop, index_t step) {
  using Mode = typename creation<A, B>::type;
  auto& g = *graph_of_creation(start, stop);
  index_t const a = shapes::extent_value(start), b = shapes::extent_value(stop);
  index_t const from = step > 0 ? a : b, to = step > 0 ? b : a, by = step > 0 ? step : -step;
  index_t const span = ir::length(g, ir::plus(g, to, ir::times(g, from, -1)));
  index_t const n = ir::divide(g, ir::plus(g, span, by - 1), by);
  return positions<T, Mode>(g, n) * static_cast<T>(step) +
         symbol<T, extents<>, Mode>{ir::number<Mode>(g, a, dtype_of<T>)};
}
template <class T, class A, class B, class N>
constexpr auto linspace(A const& start, B const& stop, N const& n, bool with_stop) {
  using Mode = typename creation<N, A, B>::type;
  auto& g = *graph_of_creation(n, start, stop);
  index_t const count = shapes::extent_value(n);
  auto const scalar = [&](auto const& x) {
    return symbol<T, extents<>, Mode>{ir::cast(lifted<Mode>(g, x, dtype_of<T>), dtype_of<T>)};
  };
  auto const a = scalar(start), b = scalar(stop);
  using R = component_t<T>;
  auto const last = maximum(
      symbol<R, extents<>, Mode>{ir::number<Mode>(g, ir::plus(g, count, with_stop ? -1 : 0), dtype_of<R>)}, R(1));
  auto const k = positions<R, Mode>(g, count);
  return where(k < last, a + k * ((b - a) / last), b);
}
// of a matrix of that shape the numbers of its rows, (n, 1), and of its columns, (m,)
template <class S>
constexpr auto rows_and_columns(S const& s) {
  using Mode = typename creation<S>::type;
  auto& g = *s.g;
  index_t const n = s.values[0];
  (void)ir::requested(g, shape_t{1, {n}});
  symbol<std::int64_t, extents<dyn, 1>, Mode> const rows{
      ir::reshape(ir::positions<Mode>(g, n), ir::intern(g, shape_t{2, {n, 1}}))};
  return std::pair(rows, positions<std::int64_t, Mode>(g, s.values[1]));
}
template <class T, class S>
constexpr auto eye(S const& s) {
  auto const [row, column] = rows_and_columns(s);
  return astype<T>(row == column);
}
template <class T, class S>
constexpr auto tri(S const& s, index_t k) {
  auto const [row, column] = rows_and_columns(s);
  return astype<T>(row + k >= column);
}

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
