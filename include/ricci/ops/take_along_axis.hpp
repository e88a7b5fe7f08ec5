// Elements read by an index for each: `rc::take_along_axis(x, indices, rc::axis<0>)` (written: put.hpp).
#pragma once

#include <ricci/ops/sort.hpp>

namespace ricci {

// Along an axis (the last one, where none is named) those elements that the indices name, which are integers, count
// from the end where they are negative, and broadcast against x along the other axes; `rc::take_along_axis(x,
// rc::argsort(x))` is sorted. An index outside is an index_error; orders that differ are a compile error.
struct take_along_axis_t : ir::operation_of_kind<ir::op_kind::alias, 0>, refuses_axis_numbers {
  using refuses_axis_numbers::operator();
  static constexpr auto name = "take_along_axis";
  static constexpr int first_index = 1;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  template <class X, class I, index_t A = -1>
  requires operands<X, I> RICCI_INLINE constexpr auto operator()(X&& x, I&& indices, axes_t<A> = {}) const {
    static_assert(level_of<I> >= operand_level::value || is_integer(own_type<I>()),
                  "take_along_axis: the indices are integers");
    return call_operation<take_along_axis_t>(along_axis<A>{}, static_cast<X&&>(x), static_cast<I&&>(indices));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t x, shape_t const& indices) {
    int const at = axis_from_start(axis, x.rank);
    if (x.rank != indices.rank || at < 0 || at >= x.rank) return c.fail(), x;
    x.extent[at] = indices.extent[at];
    return shapes::broadcast(c, x, indices);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> x, ir::value<Mode> indices) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<take_along_axis_t>(), x.shape_id(), indices.shape_id()};
    int const at = axis_from_start(axis, x.rank());
    shape_t s = shape_of(c, axis, x.shape(), indices.shape());
    indices = ir::broadcast_to(indices, ir::intern(g, s));
    s.extent[at] = x.shape().extent[at];
    return sorting::gathered<take_along_axis_t>(ir::broadcast_to(x, ir::intern(g, s)), indices, at);
  }
};
inline constexpr take_along_axis_t take_along_axis{};

}  // namespace ricci
