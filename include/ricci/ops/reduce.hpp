// Reductions over axes: `rc::sum(x)`, `rc::sum(x, rc::axis<0>)`, `rc::mean(x, rc::axis<1>, rc::keepdims)`.
#pragma once

#include <ricci/ops/movement.hpp>
#include <ricci/shape/axes.hpp>

RICCI_OPTIMIZED
namespace ricci {

// Attributes of a reduction whose axes are constants.
template <bool Keepdims, index_t... A>
struct over_axes : constant_attributes<over_axes<Keepdims, A...>> {
  static constexpr reduction_axes all{
      sizeof...(A), {A...}, Keepdims};  // by itself: nvcc writes `return {n, {A...}}` without the dots
  static constexpr reduction_axes typed() { return all; }
};

// The call operators of everything that takes axes: x; x and axes; either with keepdims. An operand of shape (..., n,
// ...) gives the shape without those axes, or with 1 in their place. An axis that does not exist is a compile error.
template <class Derived>
struct takes_axes : refuses_other_axes {
  using refuses_other_axes::operator();
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(over_axes<false>{}, static_cast<X&&>(x));
  }
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<Derived>(over_axes<false, A...>{}, static_cast<X&&>(x));
  }
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>, keepdims_t) const {
    return call_operation<Derived>(over_axes<true, A...>{}, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, keepdims_t) const {
    return call_operation<Derived>(over_axes<true>{}, static_cast<X&&>(x));
  }
  // named axes, or all (tensor/named.hpp)
  template <class X, class... Names>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x, axis_names<Names...> names) const {
    return reduced_by_name(Derived{}, x, names);
  }
  template <class X, class... Names>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x, axis_names<Names...> names, keepdims_t keep) const {
    return reduced_by_name(Derived{}, x, names, keep);
  }
  template <class X>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x) const { return reduced_by_name(Derived{}, x, axis_names<>{}); }

  // an axis that is only known at run time, of a tensor of dynamic extents; index_error where there is no such axis
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, wrong::Integer auto at) const {
    index_t const a = to_index(at);
    static_assert(
        !requires { Derived::has_orders; },
        "norm: a number behind the tensor could be an order or an axis: along an axis it is rc::norm(x, "
        "rc::axis<1>), of another order rc::linalg::vector_norm(x, rc::linalg::ord<1>) or "
        "rc::linalg::matrix_norm(x, rc::linalg::ord<1>)");
    return call_with_axis(Derived{}, static_cast<X&&>(x), a, std::false_type{});
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, wrong::Integer auto at, keepdims_t) const {
    index_t const a = to_index(at);
    return call_with_axis(Derived{}, static_cast<X&&>(x), a, std::true_type{});
  }

  // axes as a list that is made at run time, of a tensor of run-time order
  template <class X, class Axes, class... Keep>
  requires any_with_list<X, Axes>
  auto operator()(X const& x, Axes const& axes, Keep... keep) const {
    return call_operation<Derived>(told_at_run_time<reduction_axes>{axes_of(listed(axes), keep...)}, x);
  }

  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    int const mask = a.mask(x.rank);
    if (mask < 0) return c.fail(), shape_t{};
    return shapes::reduced(x, mask, a.keepdims);
  }

 private:
  template <class... Keep>
  static constexpr reduction_axes axes_of(shape_t const& list, Keep...) {
    static_assert((std::is_same_v<Keep, keepdims_t> && ...), "behind the axes stands rc::keepdims");
    if (list.rank == 0) core::raise<value_error>(core::text() << Derived::name << ": an empty list names no axes");
    reduction_axes a{list.rank, {}, sizeof...(Keep) > 0};
    for (int k = 0; k < list.rank; ++k) a.axes[k] = list.extent[k];
    return a;
  }
};

// A reduction that is an instruction of its own. Attributes: the axes as bits; then 1 for a sum of open axes (below).
template <class Derived>
struct reduction : takes_axes<Derived>, ir::operation_of_kind<ir::op_kind::reduce, 1> {
  static constexpr bool takes_complex = false;
  static constexpr dtype operand_type(dtype t) { return t; }
  static constexpr dtype type_of_result(dtype t) { return Derived::operand_type(t); }

  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    x = ir::cast(x, Derived::operand_type(x.type()));
    int const mask = a.mask(x.rank());
    auto const y = over(x, mask);
    return a.keepdims ? ir::reshape(y, ir::intern(*x.g, shapes::reduced(x.shape(), mask, true))) : y;
  }
  template <class Mode>
  static constexpr ir::value<Mode> over(ir::value<Mode> x, int mask) {
    if (mask == 0) return x;
    if (dtype const t = arithmetic_type(x.type()); t != x.type()) return ir::cast(over(ir::cast(x, t), mask), x.type());
    if constexpr (requires { typename Derived::on_booleans; })
      if (x.type() == dtype::boolean) return Derived::on_booleans::over(x, mask);
    index_t const attributes[] = {mask, 0};
    int const shape = ir::intern(*x.g, shapes::reduced(x.shape(), mask, false));
    return ir::record<Derived, Mode>(*x.g, x.type(), shape, {&x.id, 1}, {attributes, 2});
  }
};

namespace ir {

// the product of all elements but the own one along some axes (cumulative.hpp)
template <class V>
constexpr V products_of_others(V x, int mask);

// y, a reduction of an operand of shape `shape`, broadcast back to it
template <class V>
constexpr V unreduced(V y, int mask, int shape) {
  auto const kept = intern(*y.g, shapes::reduced(y.g->shapes[shape], mask, true));
  return broadcast_to(reshape(y, kept), shape);
}

}  // namespace ir

// Integers are summed in int64, booleans are counted.
struct sum_t : reduction<sum_t> {
  static constexpr auto name = "sum";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr bool adds_parts = true;  // of complex numbers, each for itself
  static constexpr dtype operand_type(dtype t) { return type_of_sum(t); }
  template <class T>
  static constexpr T identity = T(0);
  RICCI_FN combine(auto a, auto b) { return scalar::add(a, b); }
  RICCI_FN of_count(index_t trues, index_t) { return trues; }  // the result of so many conditions

  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    if (at.attr(1)) return ir::sum_to(x, at.y.shape_id());
    return over(x, int(at.attr(0)));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? again(at, t[0]) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    int const shape = at.operand(0).shape_id();
    out[0] = at.attr(1) ? ir::broadcast_to(ct, shape) : ir::unreduced(ct, int(at.attr(0)), shape);
  }
};

// The derivative by a factor is the product of all others, without dividing: see products_of_others.
struct prod_t : reduction<prod_t> {
  static constexpr auto name = "prod";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr dtype operand_type(dtype t) { return type_of_sum(t); }
  template <class T>
  static constexpr T identity = T(1);
  RICCI_FN combine(auto a, auto b) { return scalar::multiply(a, b); }

  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t);
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out);
};

struct any_t;
struct all_t;

// The extremum; where several elements attain it they share the derivative equally. Of no elements it is what every
// number is above (below): -inf or inf, of integers the end of their type. Where an element is NaN so are the extremum
// and its derivative by all.
template <class Derived>
struct extremum : reduction<Derived> {
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    if (!t[0]) return V{};
    auto const hit = at.operand(0) == ir::unreduced(at.y, int(at.attr(0)), at.operand(0).shape_id());
    auto const n = ir::sum_over(ir::cast(hit, at.y.type()), int(at.attr(0)));
    // of no elements 0, and where one is NaN, which attains nothing, 0 / 0
    V const sharing = where(logical_and(n == 0., at.y == at.y), 1., n);
    return ir::sum_over(V(where(hit, t[0], 0.)), int(at.attr(0))) / sharing;
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    int const shape = at.operand(0).shape_id(), mask = int(at.attr(0));
    auto const hit = at.operand(0) == ir::unreduced(at.y, mask, shape);
    auto const n = ir::sum_over(ir::cast(hit, at.y.type()), mask);
    V const other =
        ir::cast(V(where(n == 0., std::numeric_limits<double>::quiet_NaN(), 0.)), ct.type());  // NaN attains nothing
    out[0] = where(hit, ir::unreduced(V(ct / n), mask, shape), ir::unreduced(other, mask, shape));
  }
};
struct max_t : extremum<max_t> {
  static constexpr auto name = "max";
  static constexpr bool of_operators = true;
  using on_booleans = any_t;
  template <class T>
  static constexpr T identity = scalar::lowest<T>();
  RICCI_FN combine(auto a, auto b) { return maximum_t::kernel(a, b); }
};
struct min_t : extremum<min_t> {
  static constexpr auto name = "min";
  static constexpr bool of_operators = true;
  using on_booleans = all_t;
  template <class T>
  static constexpr T identity = scalar::highest<T>();
  RICCI_FN combine(auto a, auto b) { return minimum_t::kernel(a, b); }
};

// Whether some (all) elements are true, that is, not zero. `rc::all` alone is also the whole axis in an index.
template <class Derived>
struct truth_reduction : reduction<Derived> {
  static constexpr bool takes_complex = true;
  static constexpr dtype operand_type(dtype) { return dtype::boolean; }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const*) {
    return {};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const&, V, V*) {}
};
struct any_t : truth_reduction<any_t> {
  static constexpr auto name = "any";
  static constexpr bool of_operators = true;
  template <class T>
  static constexpr T identity = T(0);
  RICCI_FN combine(auto a, auto b) { return a || b; }
  RICCI_FN of_count(index_t trues, index_t) { return trues > 0; }
  static bool settled(bool x) { return x; }  // whatever follows
};
struct all_t : truth_reduction<all_t> {
  static constexpr auto name = "all";
  static constexpr bool of_operators = true;
  template <class T>
  static constexpr T identity = T(1);
  RICCI_FN combine(auto a, auto b) { return a && b; }
  RICCI_FN of_count(index_t trues, index_t n) { return trues == n; }
  static bool settled(bool x) { return !x; }
};

inline constexpr sum_t sum{};
inline constexpr prod_t prod{};
inline constexpr max_t max{};
inline constexpr min_t min{};
inline constexpr any_t any{};
inline constexpr all_t all{};

template <class V>
constexpr V prod_t::jvp(ir::application<V> const& at, V const* t) {
  return t[0] ? ir::sum_over(V(t[0] * ir::products_of_others(at.operand(0), int(at.attr(0)))), int(at.attr(0))) : V{};
}
template <class V>
constexpr void prod_t::vjp(ir::application<V> const& at, V ct, V* out) {
  int const mask = int(at.attr(0));
  V const g = ir::unreduced(ct, mask, at.operand(0).shape_id());
  out[0] = g * ir::products_of_others(at.operand(0), mask);
  ir::keep_masked(g, out, 1);
}

namespace ir {

template <class Mode>
constexpr value<Mode> sum_over(value<Mode> x, int mask) {
  return sum_t::over(x, mask);
}
// To a shape of the same order: over each axis on which the result turns out to have extent 1 and x has not.
template <class Mode>
constexpr value<Mode> sum_open_axes(value<Mode> x, int shape) {
  index_t const attributes[] = {0, 1};
  dtype const type = arithmetic_type(x.type());
  value<Mode> const terms = cast(x, type);
  return cast(record<sum_t, Mode>(*x.g, type, shape, {&terms.id, 1}, {attributes, 2}), x.type());
}

}  // namespace ir

}  // namespace ricci
RICCI_OPTIMIZED_END
