// `rc::interp(x, xp, fp)`: the straight lines between points, at x. A formula of a search, so that it has derivatives
// by x and by the points.
#pragma once

#include <ricci/ops/floating.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/search.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// At x, of any shape, the function that is linear between points: their abscissas xp, (n,), ascend, and fp, (n,), holds
// its values there; beyond the first and the last point it is constant. Integers enter as double. Another number of
// values than of abscissas is a compile error or a shape_error, none at all a compile error or an index_error.
struct interp_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "interp";
  static constexpr bool takes_complex = false;
  static constexpr int first_measure = 0;
  static constexpr dtype type_of_result(dtype x, dtype xp, dtype fp) {
    return floating_type_for(promote_all(x, xp, fp));
  }
  template <class X, class P, class F>
  requires operands<X, P, F> RICCI_INLINE constexpr auto operator()(X&& x, P&& xp, F&& fp) const {
    return call_operation<interp_t>(no_attributes{}, static_cast<X&&>(x), static_cast<P&&>(xp), static_cast<F&&>(fp));
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "interp takes where it is wanted, then the places that are known, then the values there, all tensors or numbers: "
      "rc::interp(x, xp, fp)")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& xp, shape_t const& fp) {
    if (xp.rank != 1 || fp.rank != 1 || xp.extent[0] == 0) return c.fail(), x;
    c.same(xp.extent[0], fp.extent[0]);
    return x;
  }
  template <class V>
  static constexpr V record(no_attributes, V x, V xp, V fp) {
    using Mode = typename V::mode;
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<interp_t>(), xp.shape_id(), fp.shape_id()};
    shape_of(c, no_attributes{}, x.shape(), xp.shape(), fp.shape());
    dtype const type = type_of_result(x.type(), xp.type(), fp.type()), computed = arithmetic_type(type);
    x = ir::cast(x, computed), xp = ir::cast(xp, computed), fp = ir::cast(fp, computed);
    V const last = ir::number<Mode>(g, ir::plus(g, xp.shape().extent[0], -1), dtype::int64);
    V const place = sorting::place_call<true, false>::record(no_attributes{}, xp, x);
    V const before = maximum(minimum(place, last), 1) - 1;
    V const behind = minimum(before + 1, last);
    V const from = ir::take<interp_t>(xp, before, 0), width = ir::take<interp_t>(xp, behind, 0) - from,
            base = ir::take<interp_t>(fp, before, 0);
    V const next = ir::take<interp_t>(fp, behind, 0), slope = (next - base) / where(width == 0., 1., width);
    V const zero = last - last;
    // at the last point the line begins there, so that its value is exact and its derivative the slope
    V const last_place = ir::take<interp_t>(xp, last, 0), value_at_end = ir::take<interp_t>(fp, last, 0),
            at_end = x == last_place;
    // from an infinite value, and on the point before one or before NaN, no slope leads anywhere (NaN is no place)
    V const stays = ((width == 0.) & (x == x)) | (isinf(base) & (next != -base)) |
                    ((isinf(next) | isnan(next)) & (x == from)) | (at_end & !isfinite(slope));
    V const start = where(at_end, last_place, from), value = where(at_end, value_at_end, base);
    V const line = where(stays, value, slope * (x - start) + value);
    V const above = where(x > last_place, value_at_end, line);
    return ir::cast(where(x < ir::take<interp_t>(xp, zero, 0), ir::take<interp_t>(fp, zero, 0), above), type);
  }
};
inline constexpr interp_t interp{};

}  // namespace ricci
