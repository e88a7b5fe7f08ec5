// Whether numbers are the same, or nearly: `rc::isclose(a, b)`, `rc::allclose(a, b, 1e-3)`, `rc::array_equal(a, b)`. A
// NaN equals nothing, unless rc::equal_nan stands behind.
#pragma once

#include <ricci/ops/composite.hpp>
#include <ricci/ops/floating.hpp>

namespace ricci {

struct equal_nan_t {};
inline constexpr equal_nan_t equal_nan{};

// |a - b| <= atol + rtol |b|, or both are the same infinity; a and b broadcast. rtol is 1e-5 and atol 1e-8, where they
// are not given. (NumPy's isclose; b is what is expected.) isclose has their common shape, allclose is a number; shapes
// that do not broadcast are a compile error or a shape_error.
template <bool EqualNan, bool All>
struct closeness_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = All ? "allclose" : "isclose";
  static constexpr int first_measure = 0;
  template <class... T>
  static constexpr dtype type_of_result(T...) {
    return dtype::boolean;
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b, shape_t const& rtol,
                                    shape_t const& atol) {
    shape_t const s = shapes::broadcast(c, shapes::broadcast(c, a, b), shapes::broadcast(c, rtol, atol));
    return All ? shape_t{} : s;
  }
  template <class V>
  static constexpr V record(no_attributes, V a, V b, V rtol, V atol) {
    ir::graph_context<typename V::graph_type> c{*a.g, ir::facts_of<closeness_t>(), a.shape_id(), b.shape_id()};
    (void)shapes::broadcast(c, a.shape(), b.shape());
    dtype const type = arithmetic_type(floating_type_for(promote(a.type(), b.type())));
    dtype const component = component_type(type);
    a = ir::cast(a, type), b = ir::cast(b, type);
    V const bound = ir::cast(atol, component) + ir::cast(rtol, component) * abs(b);
    V close = (abs(a - b) <= bound) & isfinite(b);
    close = close | (a == b);
    if constexpr (EqualNan) close = close | (isnan(a) & isnan(b));
    return All ? all_t::record(reduction_axes{}, close) : close;
  }
};
template <bool All>
struct closeness_function {
  template <class A, class B, class R = double, class S = double>
  requires operands<A, B, R, S> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, R const& rtol = 1e-5,
                                                                       S const& atol = 1e-8) const {
    return call_operation<closeness_t<false, All>>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b), rtol,
                                                   atol);
  }
  template <class A, class B, class R, class S>
  requires operands<A, B, R, S> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, R const& rtol, S const& atol,
                                                                       equal_nan_t) const {
    return call_operation<closeness_t<true, All>>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b), rtol,
                                                  atol);
  }
  template <class A, class B>
  requires operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, equal_nan_t) const {
    return (*this)(static_cast<A&&>(a), static_cast<B&&>(b), 1e-5, 1e-8, equal_nan_t{});
  }
};
inline constexpr closeness_function<false> isclose{};
inline constexpr closeness_function<true> allclose{};

// Whether all elements are equal, of two tensors of one shape; another shape is false where the types or, of tensors,
// the extents show it. In a traced function extents that differ at run time are a shape_error.
template <bool EqualNan>
struct array_equal_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "array_equal";
  static constexpr dtype type_of_result(dtype, dtype) { return dtype::boolean; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    if (a.rank != b.rank) return c.fail(), shape_t{};
    for (int k = 0; k < a.rank; ++k) c.same(a.extent[k], b.extent[k]);
    return {};
  }
  template <class V>
  static constexpr V record(no_attributes, V a, V b) {
    ir::graph_context<typename V::graph_type> c{*a.g, ir::facts_of<array_equal_t>(), a.shape_id(), b.shape_id()};
    (void)shape_of(c, no_attributes{}, a.shape(), b.shape());
    V same = a == b;
    if constexpr (EqualNan) same = same | (isnan(a) & isnan(b));
    return all_t::record(reduction_axes{}, same);
  }
};
struct array_equal_function {
  template <class A, class B>
  requires operands<A, B>
  constexpr auto operator()(A&& a, B&& b) const { return compared<false>(a, b); }
  template <class A, class B>
  requires operands<A, B>
  constexpr auto operator()(A&& a, B&& b, equal_nan_t) const { return compared<true>(a, b); }

 private:
  template <bool EqualNan, class A, class B>
  static constexpr auto compared(A const& a, B const& b) {
    using E = typename operand_extents<A>::type;
    using F = typename operand_extents<B>::type;
    if constexpr (level_of_call<A, B> == operand_level::any) {
      return equal_at_run_time<EqualNan>(a, b);
    } else if constexpr (!shapes::may_be_equal<E, F>()) {
      return false;
    } else if constexpr (level_of_call<A, B> == operand_level::tensor) {
      if constexpr (E::rank > 0)
        if (a.shape() != b.shape()) return false;
      return bool(call_operation<array_equal_t<EqualNan>>(no_attributes{}, a, b));
    } else {
      return call_operation<array_equal_t<EqualNan>>(no_attributes{}, a, b);
    }
  }
};
inline constexpr array_equal_function array_equal{};

}  // namespace ricci
