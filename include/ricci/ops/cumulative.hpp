// What accumulates along an axis. `rc::cumulative_sum(x, rc::axis<0>)` and `rc::cumulative_prod` are those of the array
// API; behind them, and behind the derivative of a product, stand *scans*: element i of the result is made of what
// stands before element i (behind it, where the scan runs backwards), and of element i itself where the scan is
// inclusive. Sums and exclusive scans are closed under differentiation: the tangent of one is another over the same
// axis, the cotangent one the other way round, and no element has to be divided out again. (The first-order linear
// recurrence: G. Blelloch, Prefix sums and their applications, 1990, section 1.4.)
#pragma once

#include <ricci/ops/reduce.hpp>

namespace ricci {

// A scan starts with `initial`; `next` makes of it and an element of each operand what the next element of the result
// is; an inclusive one leaves out what it starts with. Attributes: the axis; whether it runs backwards.
template <class Derived, int Arity, bool Inclusive = false>
struct scan_along_axis {
  static constexpr ir::op_kind kind = ir::op_kind::cumulative;
  static constexpr bool inclusive = Inclusive;
  static constexpr int arity = Arity;
  static constexpr std::uint8_t cost = 4;
  static constexpr bool commutative = false;

  // of operands of one shape and type
  template <class V, class... Rest>
  static constexpr V over(int axis, bool backwards, V first, Rest... rest) {
    int const operands[] = {first.id, rest.id...};
    index_t const attributes[] = {axis, backwards};
    return ir::record<Derived, typename V::mode>(*first.g, first.type(), first.shape_id(), {operands, Arity},
                                                 {attributes, 2});
  }
};

// 0, 1, 2, ... along the axis, as integers: the scan over no operand.
struct position_t : scan_along_axis<position_t, 0> {
  static constexpr auto name = "position";
  template <class T>
  static constexpr T initial = T(0);
  RICCI_FN next(auto h) { return scalar::add(h, decltype(h)(1)); }
};
// x[0] + ... + x[i]
struct running_sum_t : scan_along_axis<running_sum_t, 1, true> {
  static constexpr auto name = "running_sum";
  template <class T>
  static constexpr T initial = T(0);
  RICCI_FN next(auto h, auto x) { return scalar::add(h, x); }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? over(int(at.attr(0)), at.attr(1) != 0, t[0]) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = over(int(at.attr(0)), at.attr(1) == 0, ct);
  }
};
// h[i + 1] = a[i] h[i] + b[i], h[0] = 0
struct recurrence_t : scan_along_axis<recurrence_t, 2> {
  static constexpr auto name = "recurrence";
  template <class T>
  static constexpr T initial = T(0);
  RICCI_FN next(auto h, auto a, auto b) { return scalar::add(scalar::multiply(a, h), b); }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const b = ir::sum_of(t[0] ? V(t[0] * at.y) : V{}, t[1]);
    return b ? over(int(at.attr(0)), at.attr(1) != 0, at.operand(0), b) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[1] = over(int(at.attr(0)), at.attr(1) == 0, at.operand(0), ct);
    out[0] = out[1] * at.y;
  }
};
// x[0] * ... * x[i - 1]; its derivative is a recurrence, since h[i + 1] = x[i] h[i]
struct product_before_t : scan_along_axis<product_before_t, 1> {
  static constexpr auto name = "product_before";
  template <class T>
  static constexpr T initial = T(1);
  RICCI_FN next(auto h, auto x) { return scalar::multiply(h, x); }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? recurrence_t::over(int(at.attr(0)), at.attr(1) != 0, at.operand(0), V(t[0] * at.y)) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = recurrence_t::over(int(at.attr(0)), at.attr(1) == 0, at.operand(0), ct) * at.y;
  }
};

namespace ir {

// 0, 1, ... n - 1 as int64
template <class Mode>
constexpr value<Mode> positions(typename Mode::graph& g, index_t n) {
  index_t const attributes[] = {0, 0};
  return record<position_t, Mode>(g, dtype::int64, intern(g, shape_t{1, {n}}), {}, {attributes, 2});
}

// The product of all elements but the own one along the axes in `mask`: of those before it with those behind it, so
// that it is right where factors are 0 and finite where it is. Of several axes, that along the last one with that of
// its product along the others.
template <class V>
constexpr V products_of_others(V x, int mask) {
  auto& g = *x.g;
  int const shape = x.shape_id();
  V r{};
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    if (!(mask >> axis & 1)) continue;
    V const others = product_before_t::over(axis, false, x) * product_before_t::over(axis, true, x);
    V const whole = broadcast_to(others, shape);
    r = r ? V(r * whole) : whole;
    mask &= ~(1 << axis);
    if (mask != 0) x = reshape(prod_t::over(x, 1 << axis), intern(g, shapes::reduced(x.shape(), 1 << axis, true)));
  }
  return r;
}

}  // namespace ir

// x[0] + ... + x[i] and x[0] * ... * x[i] along an axis (the last one, where none is named); the shape stays. Integers
// are taken as int64, and wrap; conditions are counted. An axis that is not there is a compile error.
template <class Derived>
struct inclusive_scan {
  static constexpr dtype type_of_result(dtype t) { return type_of_sum(t); }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return (*this)(static_cast<X&&>(x), axis<-1>);
  }
  template <class X, index_t A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A>) const {
    return call_operation<Derived>(over_axes<true, A>{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    if (a.mask(x.rank) <= 0) c.fail();
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    x = ir::cast(x, type_of_result(x.type()));
    int axis = 0;
    while (!(a.mask(x.rank()) >> axis & 1)) ++axis;
    return Derived::formula(x, axis);
  }
};
struct cumulative_sum_t : inclusive_scan<cumulative_sum_t> {
  static constexpr auto name = "cumulative_sum";
  template <class V>
  static constexpr V formula(V x, int axis) {
    return running_sum_t::over(axis, false, x);
  }
};
struct cumulative_prod_t : inclusive_scan<cumulative_prod_t> {
  static constexpr auto name = "cumulative_prod";
  template <class V>
  static constexpr V formula(V x, int axis) {
    return product_before_t::over(axis, false, x) * x;
  }
};
inline constexpr cumulative_sum_t cumulative_sum{};
inline constexpr cumulative_prod_t cumulative_prod{};

}  // namespace ricci
