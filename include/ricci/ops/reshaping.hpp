// The functions that give a tensor another shape, order or element type: reshape, broadcast_to, permute_dims,
// matrix_transpose, expand_dims, squeeze, flip, astype. All but the last are views: `view` says where in the memory of
// the operand the elements of the result lie.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/shape/shape_argument.hpp>
#include <ricci/shape/strided.hpp>

namespace ricci {

// A target shape as an attribute.
template <class S>
struct to_shape;
template <index_t... E>
struct to_shape<extents<E...>> : constant_attributes<to_shape<extents<E...>>> {
  constexpr to_shape(extents<E...>) {}
  static constexpr shape_t typed() { return extents<E...>::value; }
};
// Names that the operand has are its extents; what else is no number is left open.
struct named_shape {
  shape_t shape;
  int axis[max_rank];  // the operand's, -1: none

  // beside the operand's shape in any context
  constexpr shape_t resolved(shape_t const& x) const {
    shape_t s = shape;
    for (int k = 0; k < s.rank; ++k)
      s.extent[k] = axis[k] >= 0 ? x.extent[axis[k]] : s.extent[k] < 0 ? dyn : s.extent[k];
    return s;
  }
  constexpr int open() const {
    int n = 0;
    for (int k = 0; k < shape.rank; ++k) n += shape.extent[k] < 0 && axis[k] < 0;
    return n;
  }
};
template <class To, class From>
struct to_named_shape : constant_attributes<to_named_shape<To, From>> {
  constexpr to_named_shape(To) {}
  static constexpr named_shape typed() {
    named_shape s{To::value, {}};
    for (int k = 0; k < s.shape.rank; ++k) {
      s.axis[k] = -1;
      for (int i = 0; i < From::rank; ++i)
        if (is_named(s.shape.extent[k]) && From::extent(i) == s.shape.extent[k]) s.axis[k] = i;
    }
    return s;
  }
};
template <class... D>
struct to_shape<shape_argument<D...>> {
  static constexpr int slots = sizeof...(D);
  shape_argument<D...> shape;

  constexpr to_shape(shape_argument<D...> const& s) : shape(s) {}
  // types say nothing of the extents, so all are `dyn` here, although values are given for them at run time
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

// the attribute for an operand X
template <class S, class X>
constexpr auto target_shape(S const& to, X const&) {
  if constexpr (!shapes::is_extents<S> || requires { requires S::is_static; })
    return to_shape<S>(to);
  else if constexpr (requires { typename X::extents; })
    return to_named_shape<S, typename X::extents>(to);
  else
    return to_named_shape<S, extents<>>(to);
}

// The elements in row-major order under other extents. One of them may be -1: what the others leave. A name among
// `rc::extents<rc::dim<"batch">, 16>{}` is that extent of x, or, where x does not have it, what the others leave.
// Numbers of elements that differ are a compile error, or a shape_error where they are only known at run time.
struct reshape_function : shows_elements<reshape_function>, refuses_loose_extents {
  using refuses_loose_extents::operator();
  static constexpr auto name = "reshape";
  static constexpr bool of_row_major = true;
  template <class X, ShapeArgument S>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, S const& to) const {
    auto target = target_shape(shapes::argument(to), x);
    if constexpr (!shapes::is_extents<S> && level_of<X> == operand_level::tensor)
      shapes::fill_in<rank_of<X>>(target.shape.values, decltype(target)::slots, x, name);
    return call_operation<reshape_function>(target, static_cast<X&&>(x));
  }
  template <class X, class N>
  requires(any_with_list<X, N> && !ShapeArgument<N>) auto operator()(X const& x, N const& to) const {
    return call_operation<reshape_function>(told_at_run_time<shape_t>{listed(to)}, x);
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view(auto const& to, shapes::strided<N> const& x, shapes::strided<M>& y) {
    view_extents(to, x, y);
    y.pack();
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shape_t const& to, shape_t const& x) {
    int open = 0;
    for (int k = 0; k < to.rank; ++k) open += to.extent[k] == dyn;
    return open > 1 ? to : shapes::reshape(c, x, to);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, named_shape const& to, shape_t const& x) {
    shape_t const s = to.resolved(x);
    if (to.open() > 1) return c.fail(), s;
    shape_t r = shapes::reshape(c, x, s);
    for (int k = 0; k < r.rank; ++k)
      if (r.extent[k] == dyn) r.extent[k] = to.shape.extent[k];
    return r;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(named_shape const& to, ir::value<Mode> x) {
    return record(to.resolved(x.shape()), x);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(shape_t const& to, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<reshape_t>(), x.shape_id(), ir::intern(*x.g, to)};
    return ir::reshape(x, ir::intern(*x.g, shapes::reshape(c, x.shape(), to)));
  }
};
inline constexpr reshape_function reshape{};

// x broadcast to a shape by NumPy's rule, names being extents of x. Misfits are compile errors or shape_errors.
struct broadcast_to_function : shows_elements<broadcast_to_function>, refuses_loose_extents {
  using refuses_loose_extents::operator();
  static constexpr auto name = "broadcast_to";
  static constexpr bool one_to_one = false;
  template <class X, ShapeArgument S>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, S const& to) const {
    return call_operation<broadcast_to_function>(target_shape(shapes::argument(to), x), static_cast<X&&>(x));
  }
  template <class X, class N>
  requires(any_with_list<X, N> && !ShapeArgument<N>) auto operator()(X const& x, N const& to) const {
    return call_operation<broadcast_to_function>(told_at_run_time<shape_t>{listed(to)}, x);
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view(auto const& to, shapes::strided<N> const& x, shapes::strided<M>& y) {
    view_extents(to, x, y);
    for (int k = 0; k < M; ++k) {
      int const from = k - (M - N);
      y.stride[k] = from < 0 || (x.extent[from] == 1 && y.extent[k] != 1) ? 0 : x.stride[from];
    }
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, named_shape const& to, shape_t const& x) {
    if (to.open() > 0) return c.fail(), to.shape;
    return shape_of(c, to.resolved(x), x);
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
  static constexpr ir::value<Mode> record(named_shape const& to, ir::value<Mode> x) {
    return record(to.resolved(x.shape()), x);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(shape_t const& to, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<broadcast_to_t>(), x.shape_id(),
                                              ir::requested(*x.g, to)};
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

// `rc::permute_dims(x, rc::axis<2, 0, 1>)`: axis k of the result is axis A[k] of x. Axes that are not all of x's, each
// once, are a compile error.
struct permute_dims_function : shows_elements<permute_dims_function>, refuses_axis_numbers {
  using refuses_axis_numbers::operator();
  template <class X, ShapeArgument S>
  requires wrong::operands_of_order<X>
  constexpr X const& operator()(X const& x, S const&) const {
    static_assert(always_false<X>, "axes are named in their types: rc::axes<1, 0>");
    return x;
  }
  static constexpr auto name = "permute_dims";
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<permute_dims_function>(listed_axes<A...>{}, static_cast<X&&>(x));
  }
  template <class X, class N>
  requires any_with_list<X, N>
  auto operator()(X const& x, N const& axes) const {
    shape_t const list = listed(axes);
    told_at_run_time<axis_list> order{{list.rank, {}}};
    for (int k = 0; k < list.rank; ++k) order.attributes.axes[k] = list.extent[k];
    return call_operation<permute_dims_function>(order, x);
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

// The last two axes exchanged: (..., m, n) -> (..., n, m). Fewer than two are a compile error.
struct matrix_transpose_function : shows_elements<matrix_transpose_function> {
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
    return ir::transposed(x);
  }
};
inline constexpr matrix_transpose_function matrix_transpose{};
template <class V, class E, class Mode>
constexpr auto transposed_symbol(symbol<V, E, Mode> const& x) {
  return matrix_transpose(x);
}

// `rc::expand_dims(x, rc::axis<0, 2>)`: axes of extent 1 at the given places of the result, (m, n) -> (1, m, 1, n).
// Places that it does not have, or one twice, are a compile error.
struct expand_dims_function : shows_elements<expand_dims_function>, refuses_axis_numbers {
  using refuses_axis_numbers::operator();
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

// `rc::squeeze(x, rc::axis<0>)`: without the given axes. Other extents than 1 are a compile error or a shape_error.
struct squeeze_function : shows_elements<squeeze_function>,
                          ir::operation_of_kind<ir::op_kind::reshape, 0>,
                          refuses_axis_numbers {
  using refuses_axis_numbers::operator();
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
    shape_t wanted = x.shape();
    for (int k = 0, mask = axis_mask(a.axes, a.count, x.rank()); k < wanted.rank; ++k)
      if (mask >> k & 1) wanted.extent[k] = 1;
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<squeeze_function>(), x.shape_id(),
                                              ir::intern(*x.g, wanted)};
    return ir::reshape(x, ir::intern(*x.g, shape_of(c, a, x.shape())));
  }
};
inline constexpr squeeze_function squeeze{};

// `rc::flip(x)`, `rc::flip(x, rc::axis<0>)`: backwards along all axes, or along the given ones, in the shape of x. Axes
// that x does not have are a compile error.
struct flip_function : shows_elements<flip_function>, refuses_axis_numbers {
  using refuses_axis_numbers::operator();
  static constexpr auto name = "flip";
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<flip_function>(over_axes<false, A...>{}, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<flip_function>(over_axes<false>{}, static_cast<X&&>(x));
  }
  template <int N>
  RICCI_INLINE static constexpr void view(reduction_axes const& a, shapes::strided<N> const& x, shapes::strided<N>& y) {
    y = x;
    for (int k = 0, mask = a.mask(N); k < N; ++k)
      if (mask >> k & 1) {
        y.offset += y.extent[k] > 0 ? (y.extent[k] - 1) * y.stride[k] : 0;
        y.stride[k] = -y.stride[k];
      }
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    if (a.mask(x.rank) < 0) c.fail();
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    return ir::flip(x, a.mask(x.rank()));
  }
};
inline constexpr flip_function flip{};

// `rc::astype<double>(x)`: the elements of x in another type, of a C++ number the number; floats become integers by
// truncation.
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
constexpr auto astype(X&& x) {
  if constexpr (is_arithmetic<std::remove_cvref_t<X>>)
    return element_t<T>(scalar::convert<element_t<T>>(x));
  else
    return call_operation<cast_function<T>>(no_attributes{}, static_cast<X&&>(x));
}
RICCI_WRONG_CALL(astype, "the element type is named in angle brackets: rc::astype<float>(x)")

}  // namespace ricci
