// Windows that move along axes, as views: `rc::sliding_window_view(x, 3)`, `rc::sliding_window_view(x, rc::shape(3, 3),
// rc::axis<-2, -1>)`. Their number along an axis of n elements is n - width + 1; a slice takes every k-th of them.
#pragma once

#include <ricci/ops/gather.hpp>
#include <ricci/ops/told.hpp>

namespace ricci {

namespace ir {
// x with `count` windows along an axis, the elements of which are a new axis, the last one
template <class Mode>
constexpr value<Mode> windows(value<Mode> x, int axis, index_t count, index_t width);
}  // namespace ir

// The instruction behind it: a view in which one axis of the operand is walked along by two of the result. The
// attribute is that axis.
struct windows_t : view_operation<windows_t> {
  static constexpr auto name = "windows";
  static constexpr bool hands_extents_on = true;
  static constexpr affine_map map(index_t const* axis, shape_t const& x, shape_t const& y) {
    affine_map m{};
    m.rank = x.rank;
    for (int k = 0; k < x.rank; ++k) add_term(m, k, k);
    add_term(m, static_cast<int>(axis[0]), y.rank - 1);
    return m;
  }
  template <class V>
  static constexpr V along(ir::application<V> const& at, V x, int axis) {
    shape_t const& s = at.y.shape();
    return ir::windows(x, axis, s.extent[at.attr(0)], s.extent[s.rank - 1]);
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V x) {
    return along(at, x, int(at.attr(0)) + 1);
  }
  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    return along(at, x, int(at.attr(0)));
  }
  // element j of window i is added to element i + j
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    using Mode = typename V::mode;
    auto& g = *ct.g;
    ir::graph_context<typename V::graph_type> c{g, ir::no_asker, 0, 0};
    int const axis = int(at.attr(0)), last = at.operand(0).rank() - 1;
    V const rows = ir::move_axis(ct, axis, last);
    shape_t s = rows.shape();
    V const places = ir::expand(ir::positions<Mode>(g, s.extent[last]), 1) +
                     ir::expand(ir::positions<Mode>(g, s.extent[last + 1]), 0);
    s.extent[last] = c.times(s.extent[last], s.extent[last + 1]);
    --s.rank;
    V const zeros = ir::zeros_like(ir::move_axis(at.operand(0), axis, last));
    out[0] = ir::move_axis(ir::scatter(zeros, ir::flattened(places), ir::reshape(rows, ir::intern(g, s)), last, true),
                           last, axis);
  }
};

namespace ir {

template <class Mode>
constexpr value<Mode> windows(value<Mode> x, int axis, index_t count, index_t width) {
  shape_t s = x.shape();
  s.extent[axis] = count;
  s.push(width);
  index_t const attributes[] = {axis};
  return record<windows_t, Mode>(*x.g, x.type(), intern(*x.g, s), {&x.id, 1}, {attributes, 1});
}

}  // namespace ir

// All windows of `width` elements along an axis, the last where none is named, or along several, as many widths as
// axes:
// (..., n) -> (..., n - width + 1, width), the axes of a window's elements behind all others. It is a view, which is
// not written to, as its elements are there several times. Windows that are longer than their axis are an error.
struct sliding_window_view_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "sliding_window_view";
  static constexpr bool one_to_one = false, of_row_major = false, layout_is_open = true;
  static constexpr dtype type_of_result(dtype t) { return t; }

  template <class X, Numbers N>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& width) const {
    return (*this)(static_cast<X&&>(x), width, axis<-1>);
  }
  template <class X, Numbers N, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& width, axes_t<A...> axes) const {
    return call_operation<sliding_window_view_t>(attributes_of(axes, width), static_cast<X&&>(x));
  }

  // how many windows there are along an axis of n elements
  template <class Context>
  static constexpr index_t count_of(Context& c, axes_and_numbers const& a, int k, index_t n) {
    return a.are_known ? c.minus(c.plus(n, 1), a.numbers[k]) : dyn;
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    if (a.axes.count != a.count || a.mask(x.rank) < 0 || x.rank + a.count > max_rank) return c.fail(), x;
    shape_t s = x;
    for (int k = 0; k < a.count; ++k) {
      int const axis = a.axis(k, x.rank);
      s.extent[axis] = count_of(c, a, k, x.extent[axis]);
      s.push(a.are_known ? a.numbers[k] : dyn);
    }
    return s;
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view(axes_and_numbers const& a, shapes::strided<N> const& x,
                                          shapes::strided<M>& y) {
    y.offset = x.offset;
    for (int k = 0; k < N; ++k) y.set(k, x.extent[k], x.stride[k]);
    for (int k = 0; k < a.count; ++k) {
      int const axis = a.axis(k, N);
      index_t const n = x.extent[axis], width = a.numbers[k];
      if (width < 0 || width > n) [[unlikely]]
        raise_width(width, n);
      y.set(axis, n - width + 1, x.stride[axis]);
      y.set(N + k, width, x.stride[axis]);
    }
  }
  [[noreturn]] RICCI_COLD static void raise_width(index_t width, index_t n) {
    core::raise<index_error>(core::text() << name << ": needs " << width << " elements of an axis with extent " << n);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axes_and_numbers const& a, ir::value<Mode> x) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<sliding_window_view_t>(), x.shape_id()};
    int const rank = x.rank();
    for (int k = 0; k < a.count; ++k) {
      int const axis = a.axis(k, rank);
      (void)ir::requested(g, shape_t{1, {a.numbers[k]}}, ir::facts_of<sliding_window_view_t>());
      ir::needs_elements<sliding_window_view_t>(x, axis, a.numbers[k]);
      x = ir::windows(x, axis, count_of(c, a, k, x.shape().extent[axis]), a.numbers[k]);
    }
    return x;
  }
};
inline constexpr sliding_window_view_t sliding_window_view{};

}  // namespace ricci
