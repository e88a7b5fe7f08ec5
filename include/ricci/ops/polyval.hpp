// Polynomials at points: `rc::polyval(p, x)`, as in NumPy. (Fitted to points: linalg/polyfit.hpp.)
#pragma once

#include <ricci/ops/composite.hpp>
#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/movement.hpp>

namespace ricci {

// p[0] x^(n-1) + ... + p[n-2] x + p[n-1] by Horner's scheme: p of n coefficients, (n,), and x of any shape, which the
// result has; without coefficients it is 0. Of a number of coefficients that shows at run time, what stands in the
// parentheses of the scheme is kept in memory, (..., n). Coefficients of another order are a compile error.
struct polyval_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "polyval";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype p, dtype x) { return numeric_type_for(promote(p, x)); }

  template <class P, class X>
  requires operands<P, X>
  constexpr auto operator()(P&& p, X&& x) const {
    return call_operation<polyval_t>(no_attributes{}, static_cast<P&&>(p), static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& p, shape_t const& x) {
    if (p.rank != 1) c.fail();
    return x;
  }
  template <class V>
  static constexpr V record(no_attributes, V p, V x) {
    dtype const type = type_of_result(p.type(), x.type());
    return ir::cast(formula(ir::cast(p, arithmetic_type(type)), ir::cast(x, arithmetic_type(type))), type);
  }
  template <class V>
  static constexpr V formula(V p, V x) {
    auto& g = *x.g;
    index_t const n = ir::find(g, p.shape().extent[0]);
    V y = ir::zeros_like(x);
    if (!ir::is_symbolic(n) && n <= most_unrolled) {
      for (index_t k = 0; k < n; ++k) {
        V const coefficient = ir::element_of(p, 0, k);
        y = k == 0 ? ir::broadcast_to(coefficient, x.shape_id()) : V(y * x + coefficient);
      }
      return y;
    }
    // of h[0] = 0, h[k + 1] = x h[k] + p[k] the last one, which is made of the last that is kept; of none it is 0. For
    // the first step x is 0, as infinity times h[0] would be NaN.
    shape_t along = x.shape();
    along.push(n);
    int const shape = ir::intern(g, along), last = x.rank();
    V const k = ir::positions<typename V::mode>(g, n), coefficients = ir::broadcast_to(p, shape);
    V const each = ir::broadcast_to(V(where(k == 0, 0, ir::expand(x, last))), shape);
    V const next = recurrence_t::over(last, false, each, coefficients) * each + coefficients;
    V const is_last = k == ir::number<typename V::mode>(g, ir::plus(g, n, -1), dtype::int64);
    return ir::reduced<sum_t>(V(where(is_last, next, 0)), 1 << last, false);
  }

 private:
  static constexpr index_t most_unrolled = 32;
};
inline constexpr polyval_t polyval{};

}  // namespace ricci
