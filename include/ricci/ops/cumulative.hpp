// What accumulates along an axis. `rc::cumulative_sum(x, rc::axis<0>)` and `rc::cumulative_prod` are those of the array
// API; behind them, and behind the derivative of a product, stand *scans*: element i of the result is made of what
// stands before element i (behind it, where the scan runs backwards), and of element i itself where the scan is
// inclusive. Sums and exclusive scans are closed under differentiation: the tangent of one is another over the same
// axis, the cotangent one the other way round, and no element has to be divided out again. (The first-order linear
// recurrence: G. Blelloch, Prefix sums and their applications, 1990, section 1.4.)
#pragma once

#include <ricci/ops/fold.hpp>

namespace ricci {

// 0, 1, 2, ... along the axis, as integers: the scan over no operand.
struct position_t : fold_along_axis<position_t, 0, fold_gives::before> {
  static constexpr auto name = "position";
  static constexpr dtype operand_type(dtype) { return dtype::int64; }
  template <class T>
  RICCI_FN start() {
    return T(0);
  }
  RICCI_FN next(auto h, index_t) { return scalar::add(h, decltype(h)(1)); }
  RICCI_FN join(auto a, auto b) { return scalar::add(a, b); }
};
// x[0] + ... + x[i]
struct running_sum_t : fold_along_axis<running_sum_t, 1, fold_gives::after> {
  static constexpr auto name = "running_sum";
  static constexpr bool takes_complex = true;
  template <class T>
  RICCI_FN start() {
    return T(0);
  }
  RICCI_FN next(auto h, index_t, auto x) { return scalar::add(h, x); }
  RICCI_FN join(auto a, auto b) { return scalar::add(a, b); }
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
struct recurrence_t : fold_along_axis<recurrence_t, 2, fold_gives::before> {
  static constexpr auto name = "recurrence";
  static constexpr bool takes_complex = true;
  template <class T>
  RICCI_FN start() {
    return T(0);
  }
  RICCI_FN next(auto h, index_t, auto a, auto b) { return scalar::add(scalar::multiply(a, h), b); }
  // a stretch makes a h + b of the state h before it
  template <class T>
  struct stretch {
    T a, b;
  };
  template <class T>
  RICCI_FN no_stretch() {
    return stretch<T>{T(1), T(0)};
  }
  RICCI_FN next_of_stretch(auto s, auto a, auto b) {
    return decltype(s){scalar::multiply(a, s.a), scalar::add(scalar::multiply(a, s.b), b)};
  }
  RICCI_FN join(auto s, auto t) {
    return decltype(s){scalar::multiply(t.a, s.a), scalar::add(scalar::multiply(t.a, s.b), t.b)};
  }
  RICCI_FN state_after(auto s) { return s.b; }
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
struct product_before_t : fold_along_axis<product_before_t, 1, fold_gives::before> {
  static constexpr auto name = "product_before";
  static constexpr bool takes_complex = true;
  template <class T>
  RICCI_FN start() {
    return T(1);
  }
  RICCI_FN next(auto h, index_t, auto x) { return scalar::multiply(h, x); }
  RICCI_FN join(auto a, auto b) { return scalar::multiply(a, b); }
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
  shape_t const shape{1, {n}};
  index_t const attributes[] = {0, 0};
  return call<position_t, Mode>(g, dtype::int64, &shape, {}, {attributes, 2});
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

// Told behind x or an axis: the result begins with that of no elements.
struct include_initial_t {};
inline constexpr include_initial_t include_initial{};
template <class Op>
struct from_initial;  // (ops/from_initial.hpp)
// x[0] + ... + x[i] and x[0] * ... * x[i] along an axis (the last one, where none is named); the shape stays. Integers
// are taken as int64, and wrap; conditions are counted. An axis that is not there is a compile error.
// `rc::cumulative_sum(x, rc::axis<0>, rc::include_initial)` begins with the sum of nothing: (n,) -> (n + 1,).
template <class Derived>
struct inclusive_scan : takes_one_axis<Derived> {
  using takes_one_axis<Derived>::operator();
  template <class X, index_t A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A>, include_initial_t) const {
    return call_operation<from_initial<Derived>>(over_axes<true, A>{}, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, include_initial_t) const {
    return (*this)(static_cast<X&&>(x), axis<-1>, include_initial_t{});
  }
  // an axis that is only known at run time, of a tensor of dynamic extents: computed at once
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x, wrong::Integer auto at, include_initial_t) const {
    index_t const a = to_index(at);
    return call_along_axis(from_initial<Derived>{}, over_axes<true, -1>{}, reduction_axes{1, {a}, true}, a,
                           static_cast<X&&>(x));
  }
  static constexpr dtype type_of_result(dtype t) { return type_of_sum(t); }
  template <class V>
  static constexpr V along(int axis, V x) {
    return Derived::formula(axis, ir::cast(x, type_of_result(x.type())));
  }
};
struct cumulative_sum_t : inclusive_scan<cumulative_sum_t> {
  static constexpr int initial = 0;
  static constexpr auto name = "cumulative_sum";
  template <class V>
  static constexpr V formula(int axis, V x) {
    return running_sum_t::over(axis, false, x);
  }
};
struct cumulative_prod_t : inclusive_scan<cumulative_prod_t> {
  static constexpr int initial = 1;
  static constexpr auto name = "cumulative_prod";
  template <class V>
  static constexpr V formula(int axis, V x) {
    return product_before_t::over(axis, false, x) * x;
  }
};
inline constexpr cumulative_sum_t cumulative_sum{};
inline constexpr cumulative_prod_t cumulative_prod{};

}  // namespace ricci
