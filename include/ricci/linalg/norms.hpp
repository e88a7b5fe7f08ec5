// Norms of vectors and matrices, and the condition:
//
//   vector_norm(x)                        the Euclidean norm of all elements
//   vector_norm(x, ord<1>, axis<0>)       along axes, by another order; behind them rc::keepdims may stand
//   matrix_norm(x)                        Frobenius's, (..., m, n) -> (...)
//   matrix_norm(x, ord<1>, rc::keepdims)  of another kind: (..., m, n) -> (..., 1, 1)
//   cond(x), cond(x, ord<1>)              the norm of a matrix times that of its inverse; the default is ord<2>. As in
//                                         NumPy infinite where there is no inverse, unless an element is NaN
//
// The order of a vector's norm is any number: ord<p> is the p-th root of the sum of p-th powers of magnitudes, ord<inf>
// and ord<-inf> are the largest and the least magnitude, ord<0> counts what is not 0. Those of matrices are ord<1> and
// ord<inf>, the largest sum of magnitudes in a column and in a row, ord<2> the largest singular value, with a minus
// before them the least ones; `nuc` is the sum of singular values, `fro` the root of the sum of squares. Another one is
// a compile error. Of complex numbers magnitudes are taken, and norms are real. Of no elements the largest is 0.
// Derivatives at 0, of singular values, too, are 0. Squares and powers neither overflow nor vanish, nor do those of
// singular values.
#pragma once

#include <ricci/linalg/svd.hpp>

namespace ricci::linalg {

inline constexpr double inf = __builtin_inf();
template <double P>
struct ord_t {
  static constexpr double value = P;
};
template <auto P>
inline constexpr ord_t<double(P)> ord{};
struct fro_t {};
struct nuc_t {};
inline constexpr fro_t fro{};
inline constexpr nuc_t nuc{};

// What x is divided by, so that squares, or powers, of its elements neither overflow nor vanish, as a constant with
// axes of length 1. Of squares it is 1 where that does not matter, so that nothing is rounded.
template <double P, class V>
constexpr V unit_of_norm(V x, int mask) {
  V const size = abs(x);
  V const extreme = stop_gradient_t::record(
      no_attributes{}, P > 0 ? ir::reduced<max_t>(size, mask, true) : ir::reduced<min_t>(size, mask, true));
  V const there = (extreme > 0.) & (extreme < __builtin_inf());
  if constexpr (P == 2) {
    bool const is_float = x.type() == dtype::float32;
    double const large = is_float ? 0x1p50 : 0x1p400;
    return where(there & ((extreme > large) | (extreme < 1 / large)), extreme, 1.);
  } else {
    return where(there, extreme, 1.);
  }
}
template <class V>
constexpr V root_of_squares(V x, int mask, bool keep) {
  bool const parts = is_complex(x.type());
  V const unit = unit_of_norm<2.>(parts ? V(maximum(abs(real(x)), abs(imag(x)))) : x, mask);
  V const squares = parts ? V(square(real(x) / unit) + square(imag(x) / unit)) : V(square(x / unit));
  V const y = sqrt(ir::reduced<sum_t>(squares, mask, keep));
  return y * ir::reshape(unit, y.shape_id());
}

template <double P>
struct vector_norm_t : reduction_of_magnitudes<vector_norm_t<P>> {
  static constexpr auto name = "vector_norm";
  template <class V>
  static constexpr V formula(V x, int mask, bool keep) {
    if constexpr (P == 2) {
      return root_of_squares(x, mask, keep);
    } else if constexpr (P == 1) {
      return ir::reduced<sum_t>(V(abs(x)), mask, keep);
    } else if constexpr (P == inf) {
      return maximum(ir::reduced<max_t>(V(abs(x)), mask, keep), 0.);  // 0 of no elements
    } else if constexpr (P == -inf) {
      return ir::reduced<min_t>(V(abs(x)), mask, keep);
    } else if constexpr (P == 0) {
      return ir::reduced<sum_t>(ir::cast(V(x != 0.), component_type(x.type())), mask, keep);
    } else {
      V const magnitude = abs(x), unit = unit_of_norm<P>(magnitude, mask), size = magnitude / unit;
      V const total = ir::reduced<sum_t>(V(pow(size, P)), mask, keep);
      return where(total == 0., 0., pow(where(total == 0., 1., total), 1 / P)) * ir::reshape(unit, total.shape_id());
    }
  }
};
struct vector_norm_function {
  template <class X, class... How>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, How... axes_and_keepdims) const {
    return vector_norm_t<2.>{}(static_cast<X&&>(x), axes_and_keepdims...);
  }
  template <class X, double P, class... How>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, ord_t<P>, How... axes_and_keepdims) const {
    return vector_norm_t<P>{}(static_cast<X&&>(x), axes_and_keepdims...);
  }
  // NumPy's `norm(x, 1)` has the order there, which would be taken for an axis.
  template <class X, Arithmetic Order, class... How>
  requires operands<X>
  constexpr wrong::result operator()(X&&, Order, How...) const {
    static_assert(always_false<Order>,
                  "vector_norm: the order is named in its type, rc::linalg::ord<1>, and stands before the axes, "
                  "rc::linalg::vector_norm(x, rc::linalg::ord<1>, rc::axis<0>)");
    return {};
  }
};
inline constexpr vector_norm_function vector_norm{};

template <class Order>
inline constexpr bool is_order_of_matrices = false;
template <>
inline constexpr bool is_order_of_matrices<fro_t> = true;
template <>
inline constexpr bool is_order_of_matrices<nuc_t> = true;
template <double P>
inline constexpr bool is_order_of_matrices<ord_t<P>> = P == 1 || P == -1 || P == 2 || P == -2 || P == inf || P == -inf;

// 0, with the derivative 0, where x is not above 0: at 0, and as the largest of nothing.
template <class V>
constexpr V above_zero(V x) {
  return where(x <= 0., 0., x);
}
// Of singular values, and of the sums of magnitudes along an axis of the matrix: the largest or the least.
template <class V>
constexpr V extreme(V x, bool largest) {
  int const last = 1 << (x.rank() - 1);
  return largest ? above_zero(ir::reduced<max_t>(x, last, false)) : ir::reduced<min_t>(x, last, false);
}
template <class Order, bool Keep>
struct matrix_norm_t : formula_of_one<matrix_norm_t<Order, Keep>> {
  static_assert(is_order_of_matrices<Order>,
                "matrix_norm: the order of a matrix's norm is fro, nuc, or ord of 1, 2 or inf, or minus these");
  static constexpr auto name = "matrix_norm";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return component_type(floating_matrix(t)); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const&, shape_t const& x) {
    if (x.rank < 2) return c.fail(), shape_t{};
    return shapes::reduced(x, 3 << (x.rank - 2), Keep);
  }
  template <class V>
  static constexpr V norm_of(V x) {
    int const rows = 1 << (x.rank() - 2), columns = rows << 1;
    if constexpr (std::is_same_v<Order, fro_t>) {
      return root_of_squares(x, rows | columns, false);
    } else if constexpr (std::is_same_v<Order, nuc_t>) {
      return sum_t::record(reduction_axes{1, {-1}, false}, above_zero(svdvals_t::record(no_attributes{}, x)));
    } else {
      constexpr double p = Order::value;
      if constexpr (p == 2 || p == -2)
        return above_zero(extreme(svdvals_t::record(no_attributes{}, x), p > 0));
      else
        return extreme(ir::reduced<sum_t>(V(abs(x)), p == 1 || p == -1 ? rows : columns, false), p > 0);
    }
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V x, int shape) {
    V const y = norm_of(ir::cast(x, arithmetic_type(floating_matrix(x.type()))));
    return ir::reshape(ir::cast(y, type_of_result(x.type())), shape);
  }
};
struct matrix_norm_function {
  template <class X, class Order = fro_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, Order = {}) const {
    return matrix_norm_t<Order, false>::call(static_cast<X&&>(x), axis<>);
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, keepdims_t) const {
    return matrix_norm_t<fro_t, true>::call(static_cast<X&&>(x), axis<>);
  }
  template <class X, class Order>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, Order, keepdims_t) const {
    return matrix_norm_t<Order, true>::call(static_cast<X&&>(x), axis<>);
  }
};
inline constexpr matrix_norm_function matrix_norm{};

template <class Order>
struct cond_t : formula_of_one<cond_t<Order>> {
  static constexpr auto name = "cond";
  static constexpr bool takes_complex = true, by_singular_values = [] {
    if constexpr (requires { Order::value; })
      return Order::value == 2 || Order::value == -2;
    else
      return false;
  }();
  static constexpr dtype type_of_result(dtype t) { return component_type(floating_matrix(t)); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const&, shape_t const& x) {
    if (x.rank < 2) return c.fail(), shape_t{};
    if (!by_singular_values) c.same(x.extent[x.rank - 1], x.extent[x.rank - 2]);
    return shapes::reduced(x, 3 << (x.rank - 2), false);
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V x, int shape) {
    dtype const type = type_of_result(x.type());
    x = ir::cast(x, arithmetic_type(floating_matrix(x.type())));
    V const has_nan = ir::reduced<max_t>(ir::cast(V(x != x), component_type(x.type())), 3 << (x.rank() - 2), false);
    V y{};
    if constexpr (by_singular_values) {
      V const s = svdvals_t::record(no_attributes{}, x);
      y = extreme(s, Order::value > 0) / extreme(s, Order::value < 0);
    } else {
      using norm = matrix_norm_t<Order, false>;
      y = norm::norm_of(x) * norm::norm_of(inv_t::record(no_attributes{}, x));
    }
    // of a singular matrix, which has no inverse
    y = where((y != y) & (ir::reshape(has_nan, y.shape_id()) == 0.), inf, y);
    return ir::reshape(ir::cast(y, type), shape);
  }
};
struct cond_function {
  template <class X, class Order = ord_t<2.>>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, Order = {}) const {
    return cond_t<Order>::call(static_cast<X&&>(x), axis<>);
  }
};
inline constexpr cond_function cond{};

}  // namespace ricci::linalg
