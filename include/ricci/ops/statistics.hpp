// Statistics, as in NumPy: `rc::nanmean(x, rc::axis<0>)` and the others that leave NaN out, `rc::ptp`,
// `rc::count_nonzero`, `rc::average(x, weights)`, `rc::cov(x)`, `rc::corrcoef(x)`, and variances with a correction.
#pragma once

#include <ricci/ops/floating.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/told.hpp>

namespace ricci {

// var or std of a sample: the squares are divided by n less a number, which is an operand; where nothing is left, by 0.
template <class Op>
struct corrected : takes_axes<corrected<Op>> {
  static constexpr auto name = Op::name;
  static constexpr bool takes_complex = true;
  static constexpr int first_measure = 1;
  static constexpr dtype type_of_result(dtype t, dtype) { return Op::type_of_result(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x, shape_t const& n) {
    if (n.rank != 0) c.fail();
    return takes_axes<corrected>::shape_of(c, a, x);
  }
  template <class V>
  static constexpr V divided(V total, V n, V correction) {
    return total / maximum(n - ir::cast(correction, n.type()), 0.);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x, ir::value<Mode> correction) {
    dtype const type = Op::type_of_result(x.type());
    x = ir::cast(x, arithmetic_type(floating_type_for(x.type())));
    int const mask = a.mask(x.rank());
    auto const squares = ir::square_of_magnitude(ir::value<Mode>(x - mean_t::formula(x, mask, true)));
    auto const total = ir::reduced<sum_t>(squares, mask, a.keepdims);
    return ir::cast(Op::of_variance(divided(total, ir::count_over(squares, mask), correction)), type);
  }
};

// How many elements are not zero, as int64.
struct count_nonzero_t : takes_axes<count_nonzero_t> {
  static constexpr auto name = "count_nonzero";
  static constexpr dtype type_of_result(dtype) { return dtype::int64; }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    return sum_t::record(a, x.type() == dtype::boolean ? x : ir::value<Mode>(x != 0));
  }
};
// The greatest element less the least.
struct ptp_t : takes_axes<ptp_t> {
  static constexpr auto name = "ptp";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return numeric_type_for(t); }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    x = ir::cast(x, type_of_result(x.type()));
    return max_t::record(a, x) - min_t::record(a, x);
  }
};
inline constexpr count_nonzero_t count_nonzero{};
inline constexpr ptp_t ptp{};

// The reduction Of over what is no number but NaN: it stands in the place of each that is NaN, and changes nothing.
// Where there is no other, a sum is 0, a product 1, the rest NaN.
template <class Derived, class Of>
struct without_nan : takes_axes<Derived> {
  static constexpr bool takes_complex = ir::takes_complex<Of>;
  static constexpr dtype type_of_result(dtype t) { return Of::type_of_result(t); }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    if (!is_inexact(x.type())) return Of::record(a, x);
    return ir::cast(Derived::formula(a, ir::cast(x, arithmetic_type(x.type()))), type_of_result(x.type()));
  }
};
namespace ir {
template <class V>
constexpr V nan_replaced(V x, double by) {
  return where(isnan(x), by, x);
}
// how many are no NaN
template <class V>
constexpr V count_of_numbers(reduction_axes const& a, V x) {
  return sum_t::record(a, cast(V(logical_not(isnan(x))), component_type(x.type())));
}
}  // namespace ir

struct nansum_t : without_nan<nansum_t, sum_t> {
  static constexpr auto name = "nansum";
  template <class V>
  static constexpr V formula(reduction_axes const& a, V x) {
    return sum_t::record(a, ir::nan_replaced(x, 0));
  }
};
struct nanprod_t : without_nan<nanprod_t, prod_t> {
  static constexpr auto name = "nanprod";
  template <class V>
  static constexpr V formula(reduction_axes const& a, V x) {
    return prod_t::record(a, ir::nan_replaced(x, 1));
  }
};
struct nanmax_t : without_nan<nanmax_t, max_t> {
  static constexpr auto name = "nanmax";
  template <class V>
  static constexpr V formula(reduction_axes const& a, V x) {
    V const y = max_t::record(a, ir::nan_replaced(x, -__builtin_inf()));
    return where(all_t::record(a, V(isnan(x))), __builtin_nan(""), y);
  }
};
struct nanmin_t : without_nan<nanmin_t, min_t> {
  static constexpr auto name = "nanmin";
  template <class V>
  static constexpr V formula(reduction_axes const& a, V x) {
    V const y = min_t::record(a, ir::nan_replaced(x, __builtin_inf()));
    return where(all_t::record(a, V(isnan(x))), __builtin_nan(""), y);
  }
};
struct nanmean_t : without_nan<nanmean_t, mean_t> {
  static constexpr auto name = "nanmean";
  template <class V>
  static constexpr V formula(reduction_axes const& a, V x) {
    return nansum_t::formula(a, x) / ir::cast(ir::count_of_numbers(a, x), x.type());
  }
};
struct nanvar_t : without_nan<nanvar_t, var_t> {
  static constexpr auto name = "nanvar";
  template <class V>
  static constexpr V formula(reduction_axes a, V x) {
    reduction_axes kept = a;
    kept.keepdims = true;
    // what is left out is what x says: from a mean that is infinite no distance is a number
    V const squares = where(isnan(x), 0., ir::square_of_magnitude(V(x - nanmean_t::formula(kept, x))));
    return sum_t::record(a, squares) / ir::count_of_numbers(a, x);
  }
};
struct nanstd_t : without_nan<nanstd_t, std_t> {
  static constexpr auto name = "nanstd";
  template <class V>
  static constexpr V formula(reduction_axes const& a, V x) {
    return sqrt(nanvar_t::formula(a, x));
  }
};
inline constexpr nansum_t nansum{};
inline constexpr nanprod_t nanprod{};
inline constexpr nanmax_t nanmax{};
inline constexpr nanmin_t nanmin{};
inline constexpr nanmean_t nanmean{};
inline constexpr nanvar_t nanvar{};
inline constexpr nanstd_t nanstd{};

// The sum of x times weights over the sum of weights, over the axes that are named, else all. The weights broadcast to
// x; those of order 1 for a single axis lie along it. Weights that do not are a compile error or a shape_error.
struct average_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "average";
  static constexpr bool takes_complex = true;
  static constexpr int first_measure = 1;
  static constexpr dtype type_of_result(dtype a, dtype b) { return floating_type_for(promote(a, b)); }
  template <class X, class W, index_t... A>
  requires operands<X, W> RICCI_INLINE constexpr auto operator()(X&& x, W&& weights, axes_t<A...> = {}) const {
    return call_operation<average_t>(over_axes<false, A...>{}, static_cast<X&&>(x), static_cast<W&&>(weights));
  }
  static constexpr shape_t aligned(int mask, int rank, shape_t const& w) {
    bool const single = mask > 0 && (mask & (mask - 1)) == 0;
    if (w.rank != 1 || rank < 2 || !single) return w;
    shape_t s{};
    for (int k = 0; k < rank; ++k) s.push(mask >> k & 1 ? w.extent[0] : 1);
    return s;
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x, shape_t const& weights) {
    int const mask = a.mask(x.rank);
    if (mask < 0) return c.fail(), shape_t{};
    shape_t const w = aligned(a.count == 0 ? 0 : mask, x.rank, weights);
    if (w.rank > x.rank) return c.fail(), shape_t{};
    for (int k = 0; k < w.rank; ++k) c.broadcast_to(x.extent[k + x.rank - w.rank], w.extent[k]);
    return shapes::reduced(x, mask, false);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x, ir::value<Mode> weights) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<average_t>(), x.shape_id(), weights.shape_id()};
    (void)shape_of(c, a, x.shape(), weights.shape());
    dtype const type = type_of_result(x.type(), weights.type()), computed = arithmetic_type(type);
    int const mask = a.mask(x.rank());
    shape_t const s = aligned(a.count == 0 ? 0 : mask, x.rank(), weights.shape());
    auto const w = ir::broadcast_to(ir::reshape(ir::cast(weights, computed), ir::intern(g, s)), x.shape_id());
    ir::value<Mode> const terms = ir::cast(x, computed) * w;
    return ir::cast(ir::value<Mode>(sum_t::over(terms, mask) / sum_t::over(w, mask)), type);
  }
};
inline constexpr average_t average{};

// Covariances of variables, one a row, observed once a column: (m, n) -> (m, m); of one variable (n,) its variance, a
// number; of complex ones the second factor is conjugate. The sums are divided by n - 1, or by n less the correction
// that is given. x of order 3 and more is a compile error.
struct cov_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "cov";
  static constexpr bool takes_complex = true;
  static constexpr int first_measure = 1;
  static constexpr dtype type_of_result(dtype t, dtype) { return floating_type_for(t); }
  template <class X, class N = int>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, correction_t<N> c = {1}) const {
    return call_operation<cov_t>(no_attributes{}, static_cast<X&&>(x), c.number);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& n) {
    if (x.rank < 1 || x.rank > 2 || n.rank != 0) return c.fail(), shape_t{};
    return x.rank == 1 ? shape_t{} : shape_t{2, {x.extent[0], x.extent[0]}};
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, ir::value<Mode> correction) {
    dtype const type = floating_type_for(x.type());
    x = ir::cast(x, arithmetic_type(type));
    int const last = 1 << (x.rank() - 1);
    index_t const exchanged[] = {1, 0};
    ir::value<Mode> const d = x - mean_t::formula(x, last, true), c = is_complex(type) ? ir::value<Mode>(conj(d)) : d;
    auto const products = matmul_t::record(no_attributes{}, d, x.rank() == 1 ? c : ir::permute(c, exchanged, 2));
    ir::value<Mode> const n = ir::cast(ir::count_over(x, last), component_type(x.type()));
    ir::value<Mode> const divisor = maximum(n - ir::cast(correction, n.type()), 0.);
    return ir::cast(ir::value<Mode>(products / ir::cast(divisor, products.type())), type);
  }
};
inline constexpr cov_t cov{};

// Covariances over the square roots of both variances, within -1 and 1: (m, n) -> (m, m).
struct corrcoef_t : formula_of_one<corrcoef_t> {
  static constexpr auto name = "corrcoef";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const { return call(static_cast<X&&>(x), axis<>); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const&, shape_t const& x) {
    return cov_t::shape_of(c, no_attributes{}, x, shape_t{});
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V x, int) {
    dtype const type = type_of_result(x.type());
    x = ir::cast(x, arithmetic_type(type));
    V const c = cov_t::record(no_attributes{}, x, ir::literal<typename V::mode>(*x.g, 1, x.type(), 0));
    if (c.rank() == 0) return ir::cast(V(c / c), type);
    V const s = std_t::formula(x, 2, false);
    V const n = ir::count_over(x, 2), factor = n / maximum(n - 1., 0.);
    return ir::cast(V(clip(c / (ir::expand(s, 1) * ir::expand(s, 0) * factor), -1., 1.)), type);
  }
};
inline constexpr corrcoef_t corrcoef{};

}  // namespace ricci
