// `rc::pad(x, 2)`: more elements at the ends of axes, as NumPy's pad. Widths are one number for both ends of every
// axis, two for the start and the end of each, or a pair for each axis, `rc::pad(x, rc::shape(1, 1, 0, 2))`; of the
// axes that are named, else of all. They may be known at run time alone; `rc::known<2>` and `rc::extents<1, 1, 0, 2>{}`
// keep extents static. What is there is a number (0, if none is given), or comes from x: rc::edge, rc::reflect,
// rc::symmetric, rc::wrap.
#pragma once

#include <ricci/ops/symmetric.hpp>
#include <ricci/ops/told.hpp>

namespace ricci {

namespace shapes {

struct pad_widths {
  axes_and_numbers const& a;
  int rank;
  constexpr int axes() const { return a.axes.count == 0 ? rank : a.axes.count; }
  constexpr bool fit() const { return a.mask(rank) >= 0 && (a.count == 1 || a.count == 2 || a.count == 2 * axes()); }
  constexpr int axis(int k) const { return a.axes.count == 0 ? k : a.axis(k, rank); }
  constexpr index_t of(int k, int side) const {
    return !a.are_known ? dyn : a.numbers[a.count == 1 ? 0 : a.count == 2 ? side : 2 * k + side];
  }
  template <class Context>
  constexpr shape_t shape(Context& c, shape_t x) const {
    if (!fit()) return c.fail(), x;
    for (int k = 0; k < axes(); ++k)
      for (int side = 0; side < 2; ++side) {
        if (a.are_known && of(k, side) < 0 && !ir::is_symbolic(of(k, side))) c.fail();
        x.extent[axis(k)] = c.plus(x.extent[axis(k)], of(k, side));
      }
    return x;
  }
};

}  // namespace shapes

struct pad_with_number_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "pad";
  static constexpr bool converts_to_first = true;
  static constexpr dtype type_of_result(dtype t, dtype) { return t; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x, shape_t const& number) {
    if (number.rank != 0) c.fail();
    return shapes::pad_widths{a, x.rank}.shape(c, x);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axes_and_numbers const& a, ir::value<Mode> x, ir::value<Mode> number) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<pad_with_number_t>(), x.shape_id(), number.shape_id()};
    shapes::pad_widths const w{a, x.rank()};
    int const shape = ir::requested(g, shape_of(c, a, x.shape(), number.shape()), ir::facts_of<pad_with_number_t>());
    index_t starts[max_rank]{}, steps[max_rank]{};
    for (auto& step : steps) step = 1;
    for (int k = 0; k < w.axes(); ++k) {
      starts[w.axis(k)] = w.of(k, 0);
      for (int side = 0; side < 2; ++side)
        (void)ir::requested(g, shape_t{1, {w.of(k, side)}}, ir::facts_of<pad_with_number_t>());
    }
    return ir::update_slice(ir::broadcast_to(ir::cast(number, x.type()), shape), x, starts, steps);
  }
};

template <int M>
struct pad_t : formula_of_one<pad_t<M>> {
  static constexpr auto name = "pad";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    return shapes::pad_widths{a, x.rank}.shape(c, x);
  }
  // what comes from x at one end, `width` elements
  template <class V>
  static constexpr V added(V x, int axis, index_t width, bool at_end) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::no_asker, 0, 0};
    index_t const n = x.shape().extent[axis];
    index_t const some = shapes::smaller(c, width, 1);  // 0 where the width is 0
    if constexpr (M == padding_mode::edge) {
      ir::needs_elements<pad_t>(x, axis, some);
      shape_t s = x.shape();
      s.extent[axis] = width;
      return ir::broadcast_to(ir::stretch(x, axis, at_end ? ir::plus(g, n, -1) : 0, 1), ir::intern(g, s));
    } else if constexpr (M == padding_mode::reflect) {
      ir::needs_elements<pad_t>(x, axis, ir::plus(g, width, some));
      V const part = ir::stretch(x, axis, at_end ? ir::minus(g, ir::plus(g, n, -1), width) : 1, width);
      return ir::flip(part, 1 << axis);
    } else if constexpr (M == padding_mode::symmetric) {
      ir::needs_elements<pad_t>(x, axis, width);
      return ir::flip(ir::stretch(x, axis, at_end ? ir::minus(g, n, width) : 0, width), 1 << axis);
    } else {
      static_assert(M == padding_mode::wrap);
      ir::needs_elements<pad_t>(x, axis, width);
      return ir::stretch(x, axis, at_end ? 0 : ir::minus(g, n, width), width);
    }
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    auto& g = *x.g;
    shapes::pad_widths const w{a, x.rank()};
    for (int k = 0; k < w.axes(); ++k) {
      index_t const before = w.of(k, 0), behind = w.of(k, 1);
      if (before == 0 && behind == 0) continue;
      int const axis = w.axis(k);
      shape_t s = x.shape();
      s.extent[axis] = ir::plus(g, ir::plus(g, before, s.extent[axis]), behind);
      for (index_t const width : {before, behind}) (void)ir::requested(g, shape_t{1, {width}}, ir::facts_of<pad_t>());
      x = ir::joined(axis, ir::intern(g, s), added(x, axis, before, false), x, added(x, axis, behind, true));
    }
    return x;
  }
};

// (m, n) -> (m + before + behind, ...). Negative widths are a compile error or a value_error, any number of them
// but one, two or a pair for each axis a compile error; what x is too short for (reflect takes widths below n,
// symmetric and wrap up to n, edge an n of 1 or more) is an index_error.
struct pad_function {
  template <class X, Numbers W, class V, index_t... A>
  requires(operands<X, V>) RICCI_INLINE constexpr auto operator()(X&& x, W const& widths, V const& number,
                                                                  axes_t<A...> axes = {}) const {
    return call_operation<pad_with_number_t>(attributes_of(axes, widths), static_cast<X&&>(x), number);
  }
  template <class X, Numbers W, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, W const& widths, axes_t<A...> axes = {}) const {
    return (*this)(static_cast<X&&>(x), widths, 0, axes);
  }
  template <class X, Numbers W, int M, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, W const& widths, padding_t<M>,
                                                              axes_t<A...> axes = {}) const {
    return pad_t<M>::call(static_cast<X&&>(x), axes, widths);
  }
  // anything else
  template <class Call = void>
  constexpr wrong::result operator()(wrong::argument, wrong::argument = {}, wrong::argument = {}, wrong::argument = {},
                                     wrong::argument = {}) const {
    static_assert(always_false<Call>,
                  "pad takes a tensor, the widths (a number, rc::shape(before, after), or these of every axis one "
                  "after another), then a number or rc::edge, rc::reflect, rc::symmetric or rc::wrap, then axes");
    return {};
  }
};
inline constexpr pad_function pad{};

}  // namespace ricci
