// Derivatives and integrals of what is sampled: `rc::gradient(y, dx)`, `rc::trapezoid(y, dx)`, along the last axis or
// the one that is named. The distance is a number (1, if none is given).
#pragma once

#include <ricci/ops/told.hpp>

namespace ricci {

// Derived has `shape_of` and `formula(y, x, axis)`, where x says where the samples are.
template <class Derived>
struct of_samples : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr bool takes_complex = true;
  static constexpr int first_measure = 1;
  static constexpr dtype type_of_result(dtype a, dtype b) { return floating_type_for(promote(a, b)); }
  template <class Y, class X, index_t A = -1>
  requires operands<Y, X> RICCI_INLINE constexpr auto operator()(Y&& y, X&& x, axes_t<A> = {}) const {
    return call_operation<Derived>(along_axis<A>{}, static_cast<Y&&>(y), static_cast<X&&>(x));
  }
  template <class Y, index_t A = -1>
  requires operands<Y> RICCI_INLINE constexpr auto operator()(Y&& y, axes_t<A> axis = {}) const {
    return (*this)(static_cast<Y&&>(y), 1, axis);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> y, ir::value<Mode> x) {
    dtype const type = type_of_result(y.type(), x.type());
    ir::graph_context<typename Mode::graph> c{*y.g, ir::facts_of<Derived>(), y.shape_id(), x.shape_id()};
    (void)Derived::shape_of(c, axis, y.shape(), x.shape());
    dtype const computed = arithmetic_type(type);
    return ir::cast(Derived::formula(ir::cast(y, computed), ir::cast(x, computed), axis_from_start(axis, y.rank())),
                    type);
  }
};

// Half the difference of both neighbours over the distance, at the ends that to the one neighbour: of second and of
// first order, as np.gradient without edge_order. The shape stays. Fewer than two elements are a compile error or an
// index_error.
struct gradient_of_samples_t : of_samples<gradient_of_samples_t> {
  static constexpr auto name = "gradient";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& y, shape_t const& dx) {
    if (dx.rank != 0 || axis < -y.rank || axis >= y.rank) return c.fail(), y;
    index_t const n = y.extent[axis_from_start(axis, y.rank)];
    if (n == 0 || n == 1) c.fail();
    return y;
  }
  template <class V>
  static constexpr V formula(V y, V dx, int axis) {
    auto& g = *y.g;
    index_t const n = y.shape().extent[axis], within = ir::plus(g, n, -2);
    ir::needs_elements<gradient_of_samples_t>(y, axis, 2);
    V const first = ir::stretch(y, axis, 1, 1) - ir::stretch(y, axis, 0, 1),
            last = ir::stretch(y, axis, ir::plus(g, n, -1), 1) - ir::stretch(y, axis, within, 1),
            between = .5 * (ir::stretch(y, axis, 2, within) - ir::stretch(y, axis, 0, within));
    return ir::joined(axis, y.shape_id(), V(first / dx), V(between / dx), V(last / dx));
  }
};
// The integral of what is linear between the samples: (..., n) -> (...). In place of a distance x may hold the places,
// (n,) or in the shape of y.
struct trapezoid_t : of_samples<trapezoid_t> {
  static constexpr auto name = "trapezoid";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& y, shape_t const& x) {
    if (axis < -y.rank || axis >= y.rank || (x.rank > 1 && x.rank != y.rank)) return c.fail(), y;
    int const at = axis_from_start(axis, y.rank);
    for (int k = 0; k < x.rank; ++k) c.same(x.extent[k], y.extent[x.rank == 1 ? at : k]);
    return shapes::reduced(y, 1 << at, false);
  }
  template <class V>
  static constexpr V formula(V y, V x, int axis) {
    ir::graph_context<typename V::graph_type> c{*y.g, ir::no_asker, 0, 0};
    index_t const n = shapes::left_of(c, y.shape().extent[axis], 1);
    if (x.rank() == 1 && y.rank() > 1) {
      shape_t s = y.shape();
      for (int k = 0; k < s.rank; ++k)
        if (k != axis) s.extent[k] = 1;
      x = ir::reshape(x, ir::intern(*y.g, s));
    }
    if (x.rank() > 0) x = ir::stretch(x, axis, 1, n) - ir::stretch(x, axis, 0, n);
    V const twice = ir::stretch(y, axis, 1, n) + ir::stretch(y, axis, 0, n);
    return .5 * sum_t::over(V(twice * x), 1 << axis);
  }
};
inline constexpr gradient_of_samples_t gradient{};
inline constexpr trapezoid_t trapezoid{};

}  // namespace ricci
