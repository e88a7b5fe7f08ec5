// Elements written by an index for each, as values: `rc::put_along_axis(x, indices, values, rc::axis<0>)`, `rc::put(x,
// indices, values)` are x with other elements, as JAX's with inplace=False. (In place: `x(rows, columns) = values`.)
#pragma once

#include <ricci/ops/sort.hpp>
#include <ricci/ops/told.hpp>

namespace ricci {

// x with the values, which broadcast, in place of the elements that the integers name along an axis (the last one,
// where none is named): the counterpart of take_along_axis. Where one is named twice, the last stays. An index outside
// is an index_error; orders that differ are a compile error, extents that do not fit that or a shape_error.
struct put_along_axis_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "put_along_axis";
  static constexpr int first_index = 1, last_index = 1;
  static constexpr bool converts_to_first = true;
  static constexpr dtype type_of_result(dtype x, dtype, dtype) { return x; }
  template <class X, class I, class Y, index_t A = -1>
  requires operands<X, I, Y> RICCI_INLINE constexpr auto operator()(X&& x, I&& indices, Y&& values,
                                                                    axes_t<A> = {}) const {
    static_assert(level_of<I> >= operand_level::value || is_integer(own_type<I>()),
                  "put_along_axis: the indices are integers");
    return call_operation<put_along_axis_t>(along_axis<A>{}, static_cast<X&&>(x), static_cast<I&&>(indices),
                                            static_cast<Y&&>(values));
  }
  // of the elements that are named
  template <class Context>
  static constexpr shape_t named(Context& c, int at, shape_t const& x, shape_t const& indices, shape_t const& values) {
    if (x.rank != indices.rank || at < 0 || at >= x.rank || values.rank > x.rank) return c.fail(), x;
    shape_t s = x;
    s.extent[at] = indices.extent[at];
    for (int k = 0; k < s.rank; ++k) c.broadcast_to(s.extent[k], indices.extent[k]);
    int const off = s.rank - values.rank;
    for (int k = 0; k < values.rank; ++k) c.broadcast_to(s.extent[k + off], values.extent[k]);
    return s;
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& x, shape_t const& indices,
                                    shape_t const& values) {
    (void)named(c, axis_from_start(axis, x.rank), x, indices, values);
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> x, ir::value<Mode> indices,
                                          ir::value<Mode> values) {
    auto& g = *x.g;
    int const at = axis_from_start(axis, x.rank()), last = x.rank() - 1;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<put_along_axis_t>(), x.shape_id(), indices.shape_id()};
    int const shape = ir::intern(g, named(c, at, x.shape(), indices.shape(), values.shape()));
    auto const along_last = [&](ir::value<Mode> y) { return ir::move_axis(ir::broadcast_to(y, shape), at, last); };
    auto const y = ir::scatter<put_along_axis_t>(ir::move_axis(x, at, last), along_last(indices),
                                                 along_last(ir::cast(values, x.type())), last, false, true);
    return ir::move_axis(y, last, at);
  }
};
// x with the values, which broadcast to the indices, in place of the elements that these integers name among all of x
// in row-major order. (NumPy takes values again from the first where they are fewer; here that is a shape_error.)
// An index outside is an index_error.
struct put_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "put";
  static constexpr int first_index = 1, last_index = 1;
  static constexpr bool converts_to_first = true;
  static constexpr dtype type_of_result(dtype x, dtype, dtype) { return x; }
  template <class X, class I, class Y>
  requires operands<X, I, Y> RICCI_INLINE constexpr auto operator()(X&& x, I&& indices, Y&& values) const {
    static_assert(level_of<I> >= operand_level::value || is_integer(own_type<I>()), "put: the indices are integers");
    return call_operation<put_t>(no_attributes{}, static_cast<X&&>(x), static_cast<I&&>(indices),
                                 static_cast<Y&&>(values));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& indices,
                                    shape_t const& values) {
    int const off = indices.rank - values.rank;
    if (off < 0) return c.fail(), x;
    for (int k = 0; k < values.rank; ++k) c.broadcast_to(indices.extent[k + off], values.extent[k]);
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes a, ir::value<Mode> x, ir::value<Mode> indices,
                                          ir::value<Mode> values) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<put_t>(), indices.shape_id(), values.shape_id()};
    (void)shape_of(c, a, x.shape(), indices.shape(), values.shape());
    auto const y = ir::scatter<put_t>(ir::flattened(x), indices,
                                      ir::broadcast_to(ir::cast(values, x.type()), indices.shape_id()), 0, false);
    return ir::reshape(y, x.shape_id());
  }
};
inline constexpr put_along_axis_t put_along_axis{};
inline constexpr put_t put{};

}  // namespace ricci
