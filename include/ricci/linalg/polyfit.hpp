// The polynomial that lies nearest to points: `rc::linalg::polyfit(x, y, rc::known<2>)`.
#pragma once

#include <ricci/linalg/pinv.hpp>

namespace ricci::linalg {

// The coefficients, the highest power first, of the polynomial of degree N, named as rc::known<N>, for which the sum of
// squares of what it misses is least: points x (m,) and values y (m,) -> (N + 1,), or y (m, k), which are k columns,
// -> (N + 1, k). `rc::polyval(c, x)` are its values. As in NumPy the columns of powers are scaled to length 1 and
// solved by lstsq; of fewer points than coefficients that gives the shortest of the solutions of the scaled problem.
// Points of another order and numbers of points that differ are a compile error or a shape_error. Derivatives are those
// of lstsq.
struct polyfit_t : ir::operation_of_kind<ir::op_kind::alias, 255> {
  static constexpr auto name = "polyfit";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype x, dtype y) { return floating_matrix(promote(x, y)); }

  template <class X, class Y, index_t N>
  requires tensor_operands<X, Y>
  constexpr auto operator()(X&& x, Y&& y, std::integral_constant<index_t, N>) const {
    static_assert(N >= 0, "polyfit: a degree is not negative");
    return call_operation<polyfit_t>(attributes_of(axes_t<>{}, extents<N + 1>{}), static_cast<X&&>(x),
                                     static_cast<Y&&>(y));
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "polyfit takes places, values, and the degree, which is named in its type: rc::linalg::polyfit(x, y, "
      "rc::known<2>)")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x, shape_t y) {
    if (x.rank != 1 || y.rank < 1 || y.rank > 2) return c.fail(), shape_t{};
    c.same(x.extent[0], y.extent[0]);
    y.extent[0] = a.numbers[0];
    return y;
  }
  template <class V>
  static constexpr V record(axes_and_numbers const& a, V x, V y) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<polyfit_t>(), x.shape_id(), y.shape_id()};
    (void)shape_of(c, a, x.shape(), y.shape());
    dtype const result = type_of_result(x.type(), y.type()), type = arithmetic_type(result);
    shape_t const matrix{2, {x.shape().extent[0], a.numbers[0]}};
    // of rows of x alike, what is multiplied behind each element is its power
    V const powers =
        product_before_t::over(1, true, ir::broadcast_to(ir::expand(ir::cast(x, type), 1), ir::intern(g, matrix)));
    V const length = sqrt(ir::reduced<sum_t>(V(powers * powers), 1, false));
    V const scale = where(length == 0., ir::literal<typename V::mode>(g, 1, type, length.shape_id()), length);
    V const fitted = lstsq_t::record(no_attributes{}, V(powers / scale), ir::cast(y, type));
    return ir::cast(y.rank() == 1 ? V(fitted / scale) : V(fitted / ir::expand(scale, 1)), result);
  }
};
inline constexpr polyfit_t polyfit{};

}  // namespace ricci::linalg
