// The functions that give a tensor another shape, order or element type: reshape, broadcast_to, permute_dims,
// matrix_transpose, expand_dims, squeeze, flip, astype.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/shape/shape_argument.hpp>

namespace ricci {

// A target shape as an attribute.
template <class S>
struct to_shape;
template <index_t... E>
struct to_shape<extents<E...>> : constant_attributes<to_shape<extents<E...>>> {
  constexpr to_shape(extents<E...>) {}
  static constexpr shape_t typed() { return extents<E...>::value; }
};
template <class... D>
struct to_shape<shape_argument<D...>> {
  static constexpr int slots = sizeof...(D);
  shape_argument<D...> shape;

  constexpr to_shape(shape_argument<D...> const& s) : shape(s) {}
  // a reshape reads `dyn` as "whatever is left", which a shape of values does not leave open
  static constexpr shape_t typed() {
    shape_t s{sizeof...(D), {}};
    for (int k = 0; k < s.rank; ++k) s.extent[k] = dyn;
    return s;
  }
  constexpr shape_t lowered() const {
    shape_t s{sizeof...(D), {}};
    for (int k = 0; k < s.rank; ++k) s.extent[k] = shape.values[k];
    return s;
  }
  template <class Reifier>
  static constexpr shape_t reified(Reifier& r) {
    shape_t s{sizeof...(D), {}};
    for (int k = 0; k < s.rank; ++k) s.extent[k] = r.slot();
    return s;
  }
  constexpr void bind(index_t* to, int& count) const {
    for (int k = 0; k < slots; ++k) to[count++] = shape.values[k];
  }
};

// Functions whose result has the elements of its operand.
struct keeps_type {
  static constexpr dtype type_of_result(dtype t) { return t; }
};

struct reshape_function : keeps_type {
  static constexpr auto name = "reshape";
  template <class X, ShapeArgument S>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, S const& to) const {
    to_shape<S> target(to);
    if constexpr (shapes::is_shape_argument<S> && level_of<X> == operand_level::tensor) fill_in(target, x);
    return call_operation<reshape_function>(target, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shape_t const& to, shape_t const& x) {
    int open = 0;
    for (int k = 0; k < to.rank; ++k) open += to.extent[k] == dyn;
    return open > 1 ? to : shapes::reshape(c, x, to);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(shape_t const& to, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<reshape_t>(), x.shape_id(), ir::intern(*x.g, to)};
    return ir::reshape(x, ir::intern(*x.g, shapes::reshape(c, x.shape(), to)));
  }

 private:
  // an extent of -1 among run-time numbers
  template <class S, class X>
  static constexpr void fill_in(S& target, X const& x) {
    index_t known = 1, whole = 1;
    int open = -1;
    for (int k = 0; k < S::slots; ++k)
      (target.shape.values[k] < 0 ? void(open = k) : void(known *= target.shape.values[k]));
    if (open < 0) return;
    for (int k = 0; k < rank_of<X>; ++k) whole *= x.shape(k);
    target.shape.values[open] = known > 0 ? whole / known : 0;
  }
};
inline constexpr reshape_function reshape{};

struct broadcast_to_function : keeps_type {
  static constexpr auto name = "broadcast_to";
  template <class X, ShapeArgument S>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, S const& to) const {
    return call_operation<broadcast_to_function>(to_shape<S>(to), static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shape_t const& to, shape_t const& x) {
    if (x.rank > to.rank) return c.fail(), to;
    shape_t s = to;
    for (int k = 0; k < x.rank; ++k) {
      int const at = k + to.rank - x.rank;
      s.extent[at] = c.broadcast_to(to.extent[at], x.extent[k]);
    }
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(shape_t const& to, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<broadcast_to_t>(), x.shape_id(), ir::intern(*x.g, to)};
    return ir::broadcast_to(x, ir::intern(*x.g, shape_of(c, to, x.shape())));
  }
};
inline constexpr broadcast_to_function broadcast_to{};

// Axes as attributes of a permutation and the like.
struct axis_list {
  int count;
  index_t axes[max_rank];
};
template <index_t... A>
struct listed_axes : constant_attributes<listed_axes<A...>> {
  static constexpr axis_list all{sizeof...(A), {A...}};  // by itself: nvcc writes `return {n, {A...}}` without the dots
  static constexpr axis_list typed() { return all; }
};

// `rc::permute_dims(x, rc::axis<2, 0, 1>)`: axis k of the result is axis A[k] of x.
struct permute_dims_function : keeps_type {
  static constexpr auto name = "permute_dims";
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<permute_dims_function>(listed_axes<A...>{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axis_list const& a, shape_t const& x) {
    if (a.count != x.rank || axis_mask(a.axes, a.count, x.rank) < 0) return c.fail(), x;
    shape_t s{};
    for (int k = 0; k < x.rank; ++k) s.push(x.extent[a.axes[k] < 0 ? a.axes[k] + x.rank : a.axes[k]]);
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axis_list a, ir::value<Mode> x) {
    for (int k = 0; k < a.count; ++k)
      if (a.axes[k] < 0) a.axes[k] += x.rank();
    return ir::permute(x, a.axes, a.count);
  }
};
inline constexpr permute_dims_function permute_dims{};

// The last two axes exchanged.
struct matrix_transpose_function : keeps_type {
  static constexpr auto name = "matrix_transpose";
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<matrix_transpose_function>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x) {
    if (x.rank < 2) return c.fail(), x;
    shape_t s = x;
    s.extent[x.rank - 1] = x.extent[x.rank - 2];
    s.extent[x.rank - 2] = x.extent[x.rank - 1];
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    index_t axes[max_rank]{};
    int const n = x.rank();
    for (int k = 0; k < n; ++k) axes[k] = k < n - 2 ? k : 2 * n - 3 - k;
    return ir::permute(x, axes, n);
  }
};
inline constexpr matrix_transpose_function matrix_transpose{};
template <class V, class E, class Mode>
constexpr auto transposed_symbol(symbol<V, E, Mode> const& x) {
  return matrix_transpose(x);
}

// Axes of extent 1 at the given places of the result.
struct expand_dims_function : keeps_type {
  static constexpr auto name = "expand_dims";
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<expand_dims_function>(listed_axes<A...>{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axis_list const& a, shape_t const& x) {
    int const rank = x.rank + a.count, mask = rank > max_rank ? -1 : axis_mask(a.axes, a.count, rank);
    if (mask < 0) return c.fail(), x;
    shape_t s{};
    for (int k = 0, i = 0; k < rank; ++k) s.push(mask >> k & 1 ? 1 : x.extent[i++]);
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axis_list const& a, ir::value<Mode> x) {
    shapes::type_context c;
    return ir::reshape(x, ir::intern(*x.g, shape_of(c, a, x.shape())));
  }
};
inline constexpr expand_dims_function expand_dims{};

// Without the given axes, which have extent 1.
struct squeeze_function : keeps_type {
  static constexpr auto name = "squeeze";
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<squeeze_function>(listed_axes<A...>{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axis_list const& a, shape_t const& x) {
    int const mask = axis_mask(a.axes, a.count, x.rank);
    if (mask < 0) return c.fail(), x;
    for (int k = 0; k < x.rank; ++k)
      if (mask >> k & 1) c.same(x.extent[k], 1);
    return shapes::reduced(x, mask, false);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axis_list const& a, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<reshape_t>(), x.shape_id(), x.shape_id()};
    return ir::reshape(x, ir::intern(*x.g, shape_of(c, a, x.shape())));
  }
};
inline constexpr squeeze_function squeeze{};

// Backwards along the given axes, or along all.
struct flip_function : keeps_type {
  static constexpr auto name = "flip";
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<flip_function>(over_axes<false, A...>{}, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<flip_function>(over_axes<false>{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    if (a.mask(x.rank) < 0) c.fail();
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    index_t starts[max_rank]{}, steps[max_rank]{};
    int const mask = a.mask(x.rank());
    for (int k = 0; k < x.rank(); ++k) {
      steps[k] = mask >> k & 1 ? -1 : 1;
      starts[k] = mask >> k & 1 ? ir::plus(*x.g, x.shape().extent[k], -1) : 0;
    }
    return ir::slice(x, x.shape_id(), starts, steps);
  }
};
inline constexpr flip_function flip{};

// `rc::astype<double>(x)`
template <Element T>
struct cast_function {
  static constexpr auto name = "astype";
  static constexpr dtype type_of_result(dtype) { return dtype_of<T>; }
  template <class Context>
  static constexpr shape_t shape_of(Context&, no_attributes, shape_t const& x) {
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    return ir::cast(x, dtype_of<T>);
  }
};
template <Element T, class X>
requires operands<X>
constexpr auto astype(X&& x) { return call_operation<cast_function<T>>(no_attributes{}, static_cast<X&&>(x)); }

}  // namespace ricci
