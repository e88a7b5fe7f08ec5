// Calls of a user's own, for tests.
#pragma once

#include <ricci/ricci.hpp>

namespace own_calls {

namespace rc = ricci;
namespace ir = rc::ir;

// x with A x = b, by elimination with row pivots; a singular matrix gives infinities or NaN.
struct solve_t : rc::core_call<solve_t> {
  static constexpr auto name = "solve";
  static constexpr rc::core_signature core{"(n,n),(n)->(n)"};
  static constexpr rc::dtype operand_type(rc::dtype t) { return rc::is_floating(t) ? t : rc::dtype::float64; }
  static constexpr rc::index_t workspace(rc::index_t const* n) { return n[0] * n[0]; }
  static constexpr rc::index_t operations(rc::index_t const* n) { return 2 * n[0] * n[0] * n[0] / 3; }
  static constexpr char const* refuses(rc::index_t const* n) { return n[0] == 0 ? "no equations" : nullptr; }

  RICCI_FN run(auto const& c, auto const& a, auto const& b, auto const& x) {
    rc::index_t const n = c.extents[0];
    auto const u = [&](rc::index_t i, rc::index_t k) -> auto& { return c.workspace[i * n + k]; };
    auto const size = [](auto t) { return t < 0 ? -t : t; };
    for (rc::index_t i = 0; i < n; ++i) {
      x(i) = b(i);
      for (rc::index_t k = 0; k < n; ++k) u(i, k) = a(i, k);
    }
    for (rc::index_t k = 0; k < n; ++k) {
      rc::index_t pivot = k;
      for (rc::index_t i = k + 1; i < n; ++i)
        if (size(u(i, k)) > size(u(pivot, k))) pivot = i;
      for (rc::index_t j = 0; j <= n && pivot != k; ++j) {
        auto& p = j < n ? u(pivot, j) : x(pivot);
        auto& q = j < n ? u(k, j) : x(k);
        auto const t = p;
        p = q, q = t;
      }
      for (rc::index_t i = k + 1; i < n; ++i) {
        auto const f = u(i, k) / u(k, k);
        for (rc::index_t j = k + 1; j < n; ++j) u(i, j) -= f * u(k, j);
        x(i) -= f * x(k);
      }
    }
    for (rc::index_t i = n - 1; i >= 0; --i) {
      for (rc::index_t k = i + 1; k < n; ++k) x(i) -= u(i, k) * x(k);
      x(i) /= u(i, i);
    }
  }
  template <class V>
  static constexpr V column(V x) {
    return ir::expand(x, x.rank());
  }
  // dx = inv(A) (db - dA x)
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const moved = t[0] ? V(-ir::reshape(rc::matmul_t::product(t[0], column(at.y)), at.y.shape_id())) : V{};
    return record(rc::no_attributes{}, at.operand(0), ir::sum_of(moved, t[1]));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[1] = record(rc::no_attributes{}, ir::transposed(at.operand(0)), ct);
    out[0] = -rc::matmul_t::product(column(out[1]), ir::expand(at.y, at.y.rank() - 1));
  }
};
inline constexpr solve_t solve{};

// The mean and the mean square deviation from it, by Welford's updates.
struct moments_t : rc::core_call<moments_t> {
  static constexpr auto name = "moments";
  static constexpr rc::core_signature core{"(n)->(),()"};
  static constexpr rc::dtype operand_type(rc::dtype t) { return rc::is_floating(t) ? t : rc::dtype::float64; }

  RICCI_FN run(auto const& c, auto const& x, auto const& mean, auto const& variance) {
    using T = std::remove_cvref_t<decltype(mean())>;
    rc::index_t const n = c.extents[0];
    T m = 0, s = 0;
    for (rc::index_t k = 0; k < n; ++k) {
      T const d = x(k) - m;
      m += d / T(k + 1);
      s += d * (x(k) - m);
    }
    mean() = m;
    variance() = s / T(n);
  }
  template <class V>
  static constexpr V mean_of(V x) {
    return rc::mean_t::record(rc::reduction_axes{1, {-1}, false}, x);
  }
  template <class V>
  static constexpr V deviation(ir::application<V> const& at) {
    return at.operand(0) - ir::expand(at.result(0), at.y.rank());
  }
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    dy[0] = mean_of(t[0]);
    dy[1] = mean_of(V(2. * (deviation(at) * t[0])));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    V const x = at.operand(0), n = ir::number<typename V::mode>(*x.g, x.shape().extent[x.rank() - 1], x.type());
    V const by_mean = ct[0] ? ir::expand(ct[0], at.y.rank()) : V{};
    V const by_variance = ct[1] ? V(2. * (ir::expand(ct[1], at.y.rank()) * deviation(at))) : V{};
    out[0] = ir::sum_of(by_mean, by_variance) / n;
    if (out[0].shape_id() != x.shape_id()) out[0] = ir::broadcast_to(out[0], x.shape_id());
  }
};
inline constexpr moments_t moments{};

// The sum of a row, of which a batch is a reduction of the library's.
inline int rows_summed = 0;
struct total_t : rc::core_call<total_t> {
  static constexpr auto name = "total";
  static constexpr rc::core_signature core{"(n)->()"};
  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    ++rows_summed;
    y() = 0;
    for (rc::index_t k = 0; k < c.extents[0]; ++k) y() += x(k);
  }
  template <class V>
  static constexpr V batched(ir::application<V> const&, V const* x) {
    return ir::sum_over(x[0], 1 << (x[0].rank() - 1));
  }
};
inline constexpr total_t total{};

// The sums of rows and of columns.
struct sums_t : rc::core_call<sums_t> {
  static constexpr auto name = "sums";
  static constexpr rc::core_signature core{"(m,n)->(m),(n)"};
  RICCI_FN run(auto const& c, auto const& x, auto const& rows, auto const& columns) {
    for (rc::index_t k = 0; k < c.extents[1]; ++k) columns(k) = 0;
    for (rc::index_t i = 0; i < c.extents[0]; ++i) {
      rows(i) = 0;
      for (rc::index_t k = 0; k < c.extents[1]; ++k) rows(i) += x(i, k), columns(k) += x(i, k);
    }
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    V const x = at.operand(0);
    V const by_rows = ct[0] ? ir::broadcast_to(ir::expand(ct[0], x.rank() - 1), x.shape_id()) : V{};
    V const by_columns = ct[1] ? ir::broadcast_to(ir::expand(ct[1], x.rank() - 2), x.shape_id()) : V{};
    out[0] = ir::sum_of(by_rows, by_columns);
  }
};
inline constexpr sums_t sums{};

// x[k + 1] - x[k]: an extent that stands in the result alone, and operands whose rows lie densely.
struct differences_t : rc::core_call<differences_t> {
  static constexpr auto name = "differences";
  static constexpr rc::core_signature core{"(n)->(m)"};
  static constexpr int dense_axes = 1;
  template <class Context>
  static constexpr void extents(Context& c, rc::index_t* n) {
    n[1] = c.minus(n[0], 1);
  }
  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    for (rc::index_t k = 0; k < c.extents[1]; ++k) y(k) = x.p[k + 1] - x.p[k];
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const* t) {
    return record(rc::no_attributes{}, t[0]);
  }
};
inline constexpr differences_t differences{};

// The largest element minus the smallest one: a reduction whose state is a struct.
template <class T>
struct extremes {
  T low, high;
};
struct peak_to_peak_t : rc::unary_fold<peak_to_peak_t, rc::fold_gives::last> {
  static constexpr auto name = "peak_to_peak";
  template <class T>
  RICCI_FN start() {
    return extremes<T>{std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  }
  RICCI_FN next(auto h, rc::index_t, auto x) { return join(h, decltype(h){x, x}); }
  RICCI_FN join(auto a, auto b) {
    return decltype(a){b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high};
  }
  RICCI_FN result(auto h) { return h.high - h.low; }
  static constexpr char const* refuses(rc::index_t const* n) { return n[0] == 0 ? "no elements" : nullptr; }
};
inline constexpr peak_to_peak_t peak_to_peak{};

// The first element plus the last one, of any type.
template <class T>
struct ends_so_far {
  T first, last;
  bool any;
};
struct sum_of_ends_t : rc::unary_fold<sum_of_ends_t, rc::fold_gives::last> {
  static constexpr auto name = "sum_of_ends";
  static constexpr bool takes_complex = true;
  template <class T>
  RICCI_FN start() {
    return ends_so_far<T>{T(0), T(0), false};
  }
  RICCI_FN next(auto h, rc::index_t, auto x) { return decltype(h){h.any ? h.first : x, x, true}; }
  RICCI_FN join(auto a, auto b) {
    return decltype(a){a.any ? a.first : b.first, b.any ? b.last : a.last, a.any || b.any};
  }
  RICCI_FN result(auto h) { return h.first + h.last; }
};
inline constexpr sum_of_ends_t sum_of_ends{};

// A row backwards, and both of its ends: a call that only moves elements, with three results.
struct turned_t : rc::core_call<turned_t> {
  static constexpr auto name = "turned";
  static constexpr rc::core_signature core{"(n)->(n),(),()"};
  static constexpr bool takes_complex = true;
  RICCI_FN run(auto const& c, auto const& x, auto const& y, auto const& first, auto const& last) {
    rc::index_t const n = c.extents[0];
    for (rc::index_t k = 0; k < n; ++k) y(k) = x(n - 1 - k);
    first() = x(0), last() = x(n - 1);
  }
};
inline constexpr turned_t turned{};

// y[i] = x[i] + y[i - 1] / 2
struct echo_t : rc::unary_fold<echo_t, rc::fold_gives::after> {
  static constexpr auto name = "echo";
  static constexpr rc::dtype operand_type(rc::dtype t) { return rc::is_floating(t) ? t : rc::dtype::float64; }
  template <class T>
  RICCI_FN start() {
    return T(0);
  }
  RICCI_FN next(auto h, rc::index_t, auto x) { return x + h / 2; }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? over(int(at.attr(0)), at.attr(1) != 0, t[0]) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = over(int(at.attr(0)), at.attr(1) == 0, ct);
  }
};
inline constexpr echo_t echo{};

// y[i] = a[i] y[i - 1] + b[i] along the last axis, of operands that are broadcast
struct filter_t : rc::fold_along_axis<filter_t, 2, rc::fold_gives::after> {
  static constexpr auto name = "filter";
  template <class T>
  RICCI_FN start() {
    return T(0);
  }
  RICCI_FN next(auto h, rc::index_t, auto a, auto b) { return a * h + b; }
  template <class A, class B>
  constexpr auto operator()(A&& a, B&& b) const {
    return rc::call_operation<filter_t>(rc::no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  static constexpr rc::dtype type_of_result(rc::dtype a, rc::dtype b) { return rc::promote(a, b); }
  template <class Context>
  static constexpr rc::shape_t shape_of(Context& c, rc::no_attributes, rc::shape_t const& a, rc::shape_t const& b) {
    return rc::shapes::broadcast(c, a, b);
  }
  template <class V>
  static constexpr V record(rc::no_attributes, V a, V b) {
    return over((a.rank() > b.rank() ? a : b).rank() - 1, false, a, b);
  }
};
inline constexpr filter_t filter{};

}  // namespace own_calls
