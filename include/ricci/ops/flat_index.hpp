// Positions among all elements of a shape, in row-major order, and coordinates: `auto [i, j] =
// rc::unravel_index(position, rc::shape(m, n))`, `rc::ravel_multi_index(std::tuple(i, j), rc::shape(m, n))`.
#pragma once

#include <tuple>

#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/from_start.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/together.hpp>

namespace ricci {

namespace ir {
// x, int64, where all of it is within 0 and n; else an index_error that names Caller
template <class Caller, class V>
constexpr V checked_position(V x, index_t n) {
  return take<Caller>(positions<typename V::mode>(*x.g, n), from_start(x), 0);
}
}  // namespace ir

// The coordinate along the axis that is named of the element at each position in a shape, which are the numbers.
struct coordinate_t : formula_of_one<coordinate_t> {
  static constexpr auto name = "unravel_index";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype) { return dtype::int64; }
  template <class Context>
  static constexpr shape_t shape_of(Context&, axes_and_numbers const&, shape_t const& x) {
    return x;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    using Mode = typename V::mode;
    auto& g = *x.g;
    index_t size = 1, behind = 1;
    for (int k = 0; k < a.count; ++k) {
      size = ir::times(g, size, a.numbers[k]);
      if (k > a.axes.axes[0]) behind = ir::times(g, behind, a.numbers[k]);
    }
    V const whole = ir::checked_position<coordinate_t>(ir::broadcast_to(x, shape), size);
    V const rows = floor_divide(whole, ir::number<Mode>(g, behind, dtype::int64));
    if (a.axes.axes[0] == 0) return rows;
    return ricci::remainder(rows, ir::number<Mode>(g, a.numbers[a.axes.axes[0]], dtype::int64));
  }
};
// The coordinates of the elements at these positions, as a tuple, int64, of the shape of the positions. One that is
// negative or lies outside is an index_error.
template <class X, ShapeArgument S>
requires operands<X>
constexpr auto unravel_index(X&& positions, S const& shape) {
  auto const& s = shapes::argument(shape);
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple<decltype(coordinate_t::call(joining::again<X>(positions), axis<K>, s))...>(
        coordinate_t::call(joining::again<X>(positions), axis<K>, s)...);
  }
  (std::make_integer_sequence<int, std::remove_cvref_t<decltype(s)>::rank>{});
}

struct flat_position_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "ravel_multi_index";
  static constexpr bool takes_complex = false;
  static constexpr int first_measure = 0;
  static constexpr dtype type_of_result(auto...) { return dtype::int64; }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, S const&... x) {
    shape_t s{};
    ((s = shapes::broadcast(c, s, x)), ...);
    if (a.count != sizeof...(S)) c.fail();
    return s;
  }
  template <class V, class... Rest>
  static constexpr V record(axes_and_numbers const& a, V x, Rest... rest) {
    using Mode = typename V::mode;
    V const coordinates[] = {x, rest...};
    auto& g = *x.g;
    (void)ir::requested(g, [&] {
      shape_t s{};
      for (int k = 0; k < a.count; ++k) s.push(a.numbers[k]);
      return s;
    }());
    V y = ir::checked_position<flat_position_t>(coordinates[0], a.numbers[0]);
    for (int k = 1; k < a.count; ++k)
      y = y * ir::number<Mode>(g, a.numbers[k], dtype::int64) +
          ir::checked_position<flat_position_t>(coordinates[k], a.numbers[k]);
    return y;
  }
};
// The positions of the elements with these coordinates, a tuple or array of a tensor for each axis of the shape; they
// broadcast together: int64. A coordinate that is negative or lies outside is an index_error.
template <TupleLike Tuple, ShapeArgument S>
constexpr auto ravel_multi_index(Tuple&& coordinates, S const& shape) {
  constexpr std::size_t count = std::tuple_size<std::remove_cvref_t<Tuple>>::value;
  static_assert(count == std::remove_cvref_t<decltype(shapes::argument(shape))>::rank,
                "ravel_multi_index: coordinates for each axis of the shape");
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    using std::get;
    return call_operation<flat_position_t>(attributes_of(axes_t<>{}, shape),
                                           get<K>(static_cast<Tuple&&>(coordinates))...);
  }
  (std::make_index_sequence<count>{});
}

}  // namespace ricci
