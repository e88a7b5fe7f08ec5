// What counts: the operations behind `rc::bincount` and `rc::histogram` (tensor/histogram.hpp), whose results have a
// shape that is known beforehand.
#pragma once

#include <ricci/ops/composite.hpp>
#include <ricci/ops/from_start.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/ops/search.hpp>

namespace ricci {

namespace histograms {

// how many bins stand between so many edges
template <class Context>
constexpr index_t bins_between(Context& c, shape_t const& edges) {
  if (edges.rank != 1) return c.fail(), 0;
  return c.minus(edges.extent[0], 1);
}

}  // namespace histograms

// How often each of 0 ... n - 1 is there among integers, or the sum of the weights of each; n is the attribute. An
// integer below 0 or above n - 1 is an index_error.
struct bincount_t {
  static constexpr auto name = "bincount";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype) { return dtype::int64; }
  static constexpr dtype type_of_result(dtype, dtype weights) { return floating_type_for(weights); }
  template <class Context, class... W>
  static constexpr shape_t shape_of(Context& c, shape_t const& to, shape_t const& x, W const&... weights) {
    if (to.rank != 1 || x.rank != 1) c.fail();
    ((weights.rank == 1 ? void(c.same(x.extent[0], weights.extent[0])) : c.fail()), ...);
    return to;
  }
  template <class V>
  static constexpr V record(shape_t const& to, V x) {
    using Mode = typename V::mode;
    return added<V>(to, x, ir::integer_literal<Mode>(*x.g, 1, dtype::int64, x.shape_id()));
  }
  template <class V>
  static constexpr V record(shape_t const& to, V x, V weights) {
    ir::graph_context<typename V::mode::graph> c{*x.g, ir::facts_of<ir::rows_written_by<bincount_t>>(), x.shape_id(),
                                                 weights.shape_id()};
    shape_of(c, to, x.shape(), weights.shape());
    return added<V>(to, x, ir::cast(weights, floating_type_for(weights.type())));
  }

 private:
  template <class V>
  static constexpr V added(shape_t const& to, V x, V weights) {
    using Mode = typename V::mode;
    auto& g = *x.g;
    int const shape = ir::requested(g, to);
    V const nothing = ir::literal<Mode>(g, 0, weights.type(), shape);
    return ir::scatter<bincount_t>(nothing, ir::from_start(x), weights, 0, true);
  }
};

// n + 1 edges at equal distances (n is the attribute) from the least element to the greatest; half to both sides where
// they are equal, and 0 and 1 where there are none.
struct histogram_bin_edges_t {
  static constexpr auto name = "histogram_bin_edges";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shape_t const& bins, shape_t const&) {
    if (bins.rank != 1) return c.fail(), bins;
    return {1, {c.plus(bins.extent[0], 1)}};
  }
  template <class V>
  static constexpr V record(shape_t const& bins, V x) {
    using Mode = typename V::mode;
    auto& g = *x.g;
    dtype const type = type_of_result(x.type()), computed = arithmetic_type(type);
    index_t const n = bins.extent[0], edges = ir::plus(g, n, 1);
    (void)ir::requested(g, bins);
    int const axes = (1 << x.rank()) - 1;
    V const least = ir::cast(min_t::over(x, axes), computed), most = ir::cast(max_t::over(x, axes), computed);
    V const nothing = least > most, apart = where(least == most, ir::literal<Mode>(g, .5, computed, 0), 0.);
    V const low = where(nothing, ir::literal<Mode>(g, 0, computed, 0), least - apart),
            high = where(nothing, ir::literal<Mode>(g, 1, computed, 0), most + apart);
    V const k = ir::cast(ir::positions<Mode>(g, edges), computed), last = ir::number<Mode>(g, n, computed);
    return ir::cast(where(k < last, k * ((high - low) / last) + low, high), type);
  }
};

namespace histograms {

// In which bin between edges that ascend a number lies, -1: in none. The last bin has its right edge, too. The bin is
// guessed as if they were all alike, and searched for where that is not so.
template <class T>
struct bins {
  using F = std::conditional_t<std::is_same_v<T, float>, float, double>;
  T const* e;
  index_t count;
  T low, high;
  F scale, stop;

  RICCI_HD constexpr bins(T const* edges, index_t n)
      : e(edges),
        count(n),
        low(edges[0]),
        high(edges[n]),
        scale(static_cast<F>(n) / (static_cast<F>(high) - static_cast<F>(low))),
        stop(static_cast<F>(n)) {}
  RICCI_HD constexpr index_t of(T v) const {
    if (!(v >= low && v <= high)) return -1;
    F const guess = (static_cast<F>(v) - static_cast<F>(low)) * scale;
    index_t const k = guess < stop ? static_cast<index_t>(guess) : count - 1;  // (where edges are equal it is NaN)
    if (!(v < e[k] || (k + 1 < count && v >= e[k + 1]))) return k;
    index_t first = 0, last = count - 1;
    while (first < last) {
      index_t const middle = (first + last + 1) / 2;
      if (e[middle] <= v)
        first = middle;
      else
        last = middle - 1;
    }
    return first;
  }
};
template <class Derived>
struct counting : core_call<Derived> {
  static constexpr auto name = "histogram";
  static constexpr int dense_axes = 1;
  static constexpr char const* refuses(index_t const* n) { return n[1] == 0 ? "no edges" : nullptr; }
  template <class Context>
  static constexpr void extents(Context& c, index_t* n) {
    n[2] = c.minus(n[1], 1);
  }
};

}  // namespace histograms

// How many of x, (n,), lie in each of the bins between edges that ascend; what lies outside, or is NaN, is not counted.
struct histogram_counts_t : histograms::counting<histogram_counts_t> {
  static constexpr core_signature core{"(n),(m)->(k)"};
  template <class T>
  using types = type_list<T, T, std::int64_t>;
  RICCI_FN run(auto const& c, auto const& x, auto const& edges, auto const& counts) {
    using T = std::remove_cvref_t<decltype(x(0))>;
    index_t const n = c.extents[0], many = c.extents[2];
    for (index_t k = 0; k < many; ++k) counts(k) = 0;
    if (many == 0) return;
    histograms::bins<T> const bins(edges.p, many);
    for (index_t i = 0; i < n; ++i)
      if (index_t const k = bins.of(x.p[i]); k >= 0) ++counts(k);
  }
};
// The sum of the weights of those, in the floating type to which all promote; they are added as double.
struct histogram_weights_t : histograms::counting<histogram_weights_t> {
  static constexpr core_signature core{"(n),(m),(n)->(k)"};
  template <class T>
  using workspace_type = double;
  static constexpr index_t workspace(index_t const* n) { return n[1] == 0 ? 0 : n[1] - 1; }
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  RICCI_FN run(auto const& c, auto const& x, auto const& edges, auto const& weights, auto const& sums) {
    using T = std::remove_cvref_t<decltype(x(0))>;
    index_t const n = c.extents[0], many = c.extents[2];
    if (many == 0) return;
    for (index_t k = 0; k < many; ++k) c.workspace[k] = 0;
    histograms::bins<T> const bins(edges.p, many);
    for (index_t i = 0; i < n; ++i)
      if (index_t const k = bins.of(x.p[i]); k >= 0) c.workspace[k] += static_cast<double>(weights.p[i]);
    for (index_t k = 0; k < many; ++k) sums(k) = static_cast<T>(c.workspace[k]);
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[2] ? record(no_attributes{}, at.operand(0), at.operand(1), t[2]) : V{};
  }
  // those of the weights alone: counts do not change with what little x does
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const x = at.operand(0), edges = at.operand(1);
    int const axis = x.rank() - 1;
    auto& g = *x.g;
    index_t const n = edges.shape().extent[edges.rank() - 1];
    auto const edge_at = [&](index_t k) {
      return ir::expand(ir::element_of(edges, edges.rank() - 1, k), edges.rank() - 1);
    };
    V const within = (x >= edge_at(0)) & (x <= edge_at(ir::plus(g, n, -1)));
    V const before = sorting::place_call<true, false>::record(no_attributes{}, ir::expand(edges, edges.rank() - 1), x);
    V const last = ir::number<typename V::mode>(g, ir::plus(g, n, -2), dtype::int64);
    V const bin = maximum(minimum(before - 1, last), 0);
    out[2] = where(within, sorting::gathered(ct, V(bin), axis), 0.);
  }
};
// Counts (k,) over their sum and over the width of their bins, which has edges (k + 1,).
struct histogram_density_t {
  static constexpr auto name = "histogram_density";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype, dtype edges) { return floating_type_for(edges); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& counts, shape_t const& edges) {
    return {1, {c.same(counts.extent[0], histograms::bins_between(c, edges))}};
  }
  template <class V>
  static constexpr V record(no_attributes, V counts, V edges) {
    dtype const type = type_of_result(counts.type(), edges.type()), computed = arithmetic_type(type);
    edges = ir::cast(edges, computed);
    index_t const steps[] = {1}, first[] = {0}, second[] = {1};
    V const widths =
        ir::slice(edges, counts.shape_id(), second, steps) - ir::slice(edges, counts.shape_id(), first, steps);
    V const whole = ir::cast(sum_t::over(counts, 1), computed);
    return ir::cast(V(ir::cast(counts, computed) / widths) / whole, type);
  }
};

}  // namespace ricci
