// What looks through tensors of run-time type and order: counts and bins, the greatest elements, sets, and parts that
// a condition names. Each is what it is of other tensors, computed at once.
#pragma once

#include <utility>
#include <vector>

#include <ricci/any/functions.hpp>
#include <ricci/any/index.hpp>
#include <ricci/any/joins.hpp>
#include <ricci/ops/closeness.hpp>
#include <ricci/tensor/histogram.hpp>
#include <ricci/tensor/rearranging.hpp>
#include <ricci/tensor/top_k.hpp>

namespace ricci {

namespace at_run_time {
inline namespace RICCI_ABI {

inline any_tensor in_a_row(any_tensor const& x) {
  return any_tensor(x.owner(), x.data(), x.dtype(), shape_t{1, {x.size()}});
}
template <class K>
shape_t length_of(K const& k) {
  if constexpr (shapes::is_extents<K>)
    return shape_t{1, {K::extent(0)}};
  else
    return shape_t{1, {index_t(k)}};
}

// What histograms may be told behind their bins.
struct histogram_options {
  any_tensor edges, weights;
  bool density = false;

  template <class X, class N>
  void take(X const& x, N const& bins, interval range) {
    storage::require_range(range);
    edges = linspace(histogram_bin_edges_t::type_of_result(x.dtype()), range.low, range.high,
                     length_of(bins).extent[0] + 1);
  }
  template <class X, class N, class W>
  void take(X const& x, N const&, weights_t<W> const& w) {
    weights = as_any(w.values);
    shape_t const both[] = {x.shape(), weights.shape()};
    if (!(both[0] == both[1])) shapes::raise_misfit("histogram", both, 2);
  }
  template <class X, class N>
  void take(X const&, N const&, density_t) {
    density = true;
  }
};

template <class X>
any_tensor counted(X const& x) {
  any_tensor const numbers = as_any(x);
  if (!is_integer(numbers.dtype()))
    core::raise<value_error>(core::text()
                             << "bincount: what is counted are integers, and not " << name_of(numbers.dtype()));
  if (numbers.order() != 1) shapes::raise_misfit("bincount", &numbers.shape(), 1);
  return astype(numbers, dtype::int64);
}
template <class X>
shape_t counts_length(X const& x, minlength least) {
  any_tensor const numbers = counted(x);
  struct {
    std::int64_t const *first, *last;
    std::int64_t const* begin() const { return first; }
    std::int64_t const* end() const { return last; }
  } const all{static_cast<std::int64_t const*>(numbers.data()),
              static_cast<std::int64_t const*>(numbers.data()) + numbers.size()};
  return {1, {storage::counts_length(all, least.value)}};
}
// A template whose result has a name: one that is deduced would be computed wherever this file is included.
template <class T>
any_tensor repeated_positions(any_tensor const& counts, index_t n) {
  return any_tensor(storage::repeated_positions(counts.template as<T, 1>(), n));
}
template <bool Found>
void check_edges(any_tensor const& edges) {
  if (edges.order() != 1) shapes::raise_misfit("histogram", &edges.shape(), 1);
  if (is_complex(edges.dtype())) raise_type("histogram", edges.dtype());
  storage::check_edges<Found>(astype(edges, dtype::float64).template as<double, 1>());
}

}  // namespace RICCI_ABI
}  // namespace at_run_time

inline namespace RICCI_ABI {

// ---- the tensor itself ----

template <class X>
requires any_operands<X> any_tensor eval(X const& x) { return at_run_time::as_any(x); }
template <class X>
requires any_operands<X> any_tensor copy(X const& x, cpu const&) {
  any_tensor y(at_run_time::as_any(x).dtype(), x.shape());
  if (y.bytes() > 0) __builtin_memcpy(y.raw_data(), x.data(), std::size_t(y.bytes()));
  return y;
}
// The parts along an axis, the first one if none is named, as a std::vector.
template <class X, index_t A = 0>
requires any_operands<X> std::vector<any_tensor> rows(X const& x, axes_t<A> axis = {}) {
  index_t const n = at_run_time::as_any(x).shape(int(axis_named("rows", A, x.order())));
  if constexpr (A != 0) {
    return unstack(x, axis);
  } else {
    std::vector<any_tensor> parts;
    for (index_t k = 0; k < n; ++k) parts.push_back(x(k));
    return parts;
  }
}
template <bool EqualNan, class A, class B>
requires any_operands<A, B>
bool equal_at_run_time(A const& x, B const& y) {
  auto const& a = at_run_time::as_any(x);
  auto const& b = at_run_time::as_any(y);
  return at_run_time::shape_of(a) == at_run_time::shape_of(b) &&
         at_run_time::call<array_equal_t<EqualNan>>(no_attributes::typed(), a, b).template item<bool>();
}

// ---- parts that a condition names ----

// shape_error: the condition is not of order 1; index_error: it is true behind the axis' end.
template <class M, class X, index_t A = 0>
requires any_operands<M, X> any_tensor compress(M const& condition, X const& x, axes_t<A> = {}) {
  any_tensor const m = at_run_time::as_any(condition);
  if (m.order() != 1) shapes::raise_misfit("compress", &m.shape(), 1);
  any_tensor const places = flatnonzero(m), whole = at_run_time::as_any(x);
  index_t const n = whole.shape().extent[axis_named("compress", A, whole.order())], count = places.size();
  auto const* const place = static_cast<std::int64_t const*>(places.data());  // they ascend
  if (count > 0 && place[count - 1] >= n) core::raise_index("compress", place[count - 1], n);
  return take(whole, places, axis<A>);
}
// What `rc::repeat(x, counts, rc::axis<A>)` is of these.
template <class X, class C, index_t A>
requires any_operands<X, C> any_tensor repeat_at_run_time(X const& x, C const& counts, axes_t<A> along) {
  any_tensor const whole = at_run_time::as_any(x), often = at_run_time::as_any(counts);
  if (!is_integer(often.dtype()))
    core::raise<value_error>(core::text() << "repeat: counts are integers, and not " << name_of(often.dtype()));
  if (often.order() != 1) shapes::raise_misfit("repeat", &often.shape(), 1);
  index_t const n = whole.shape().extent[axis_named("repeat", A, whole.order())];
  return take(whole, at_run_time::repeated_positions<std::int64_t>(astype(often, dtype::int64), n), along);
}
template <class X>
requires any_operands<X> any_tensor argwhere(X const& x) {
  any_tensor const places = flatnonzero(x);
  int const order = x.order();
  any_tensor found(dtype::int64, shape_t{2, {places.size(), order}});
  auto const* const from = static_cast<std::int64_t const*>(places.data());
  auto* const to = reinterpret_cast<std::int64_t*>(found.raw_data());
  for (index_t i = 0; i < places.size(); ++i) {
    index_t rest = from[i];
    for (int k = order - 1; k >= 0; --k) {
      to[i * order + k] = rest % x.shape().extent[k];
      rest /= x.shape().extent[k];
    }
  }
  return found;
}

// ---- counts ----

// value_error: what is counted are no integers, or negative ones, where no length is given; shape_error: something is
// not of order 1; index_error: an integer is outside of the length that is given.
template <class X, ShapeArgument S>
requires any_operands<X> any_tensor bincount(X const& x, S const& length) {
  return at_run_time::call<bincount_t>(target_shape(shapes::argument(length), x).lowered(), at_run_time::counted(x));
}
template <class X, class W, ShapeArgument S>
requires any_operands<X, W> any_tensor bincount(X const& x, W const& weights, S const& length) {
  return at_run_time::call<bincount_t>(target_shape(shapes::argument(length), x).lowered(), at_run_time::counted(x),
                                       at_run_time::as_any(weights));
}
template <class X>
requires any_operands<X> any_tensor bincount(X const& x, minlength least = {}) {
  return at_run_time::call<bincount_t>(at_run_time::counts_length(x, least), at_run_time::counted(x));
}
template <class X, class W>
requires any_operands<X, W> any_tensor bincount(X const& x, W const& weights, minlength least = {}) {
  return at_run_time::call<bincount_t>(at_run_time::counts_length(x, least), at_run_time::counted(x),
                                       at_run_time::as_any(weights));
}
template <class X, class N>
requires(any_operands<X> && (Extent<N> || shapes::is_extents<N>)) any_tensor
    histogram_bin_edges(X const& x, N const& bins) {
  return at_run_time::call<histogram_bin_edges_t>(at_run_time::length_of(bins), at_run_time::as_any(x));
}
// Bins are a number of them or edges; behind them may stand an interval, rc::weights(w), rc::density. shape_error:
// weights of another shape; value_error: no bin, edges that descend, elements without a range.
template <class X, class B, class... Options>
requires any_operands<X> std::pair<any_tensor, any_tensor> histogram(X const& x, B const& bins,
                                                                     Options const&... told) {
  at_run_time::histogram_options o;
  (o.take(at_run_time::as_any(x), bins, told), ...);
  bool const found = o.edges.dtype() == dtype::none;
  if constexpr (Extent<B> || shapes::is_extents<B>) {
    if (found) o.edges = histogram_bin_edges(x, bins);
  } else {
    o.edges = at_run_time::as_any(bins);
  }
  if constexpr (Extent<B> || shapes::is_extents<B>)
    at_run_time::check_edges<true>(o.edges);
  else
    at_run_time::check_edges<false>(o.edges);
  any_tensor const row = at_run_time::in_a_row(x);
  constexpr auto nothing = no_attributes::typed();
  any_tensor counts = o.weights.dtype() == dtype::none ? at_run_time::call<histogram_counts_t>(nothing, row, o.edges)
                                                       : at_run_time::call<histogram_weights_t>(
                                                             nothing, row, o.edges, at_run_time::in_a_row(o.weights));
  if (o.density) counts = at_run_time::call<histogram_density_t>(nothing, counts, o.edges);
  return {counts, o.edges};
}

// ---- the greatest ----

// value_error: k is greater than the number of elements
template <class X, class K>
requires(any_operands<X> && (Extent<K> || shapes::is_extents<K>)) std::pair<any_tensor, any_tensor> top_k(X const& x,
                                                                                                          K const& k) {
  any_tensor const from = at_run_time::as_any(x);
  if (from.order() == 0) shapes::raise_misfit("top_k", &from.shape(), 1);
  shape_t const many = at_run_time::length_of(k);
  if (many.extent[0] < 0 || many.extent[0] > from.shape(-1))
    core::raise<value_error>(core::text() << "top_k: " << many.extent[0] << " of " << from.shape(-1) << " elements");
  any_tensor const at = at_run_time::call<top_k_indices_t>(many, from);
  return {at_run_time::call<elements_of_rows_t>(no_attributes::typed(), from, at), at};
}

// ---- sets (types that depend on operands, so that no operation is compiled before one is called) ----

template <class X, class Y>
requires any_operands<X, Y> any_tensor union1d(X const& x, Y const& y) {
  auto const a = at_run_time::as_any(x);
  auto const b = at_run_time::as_any(y);
  return unique_values(concat(std::vector{at_run_time::in_a_row(a), at_run_time::in_a_row(b)}));
}
template <class X, class Y>
requires any_operands<X, Y> any_tensor intersect1d(X const& x, Y const& y) {
  auto const a = at_run_time::as_any(x);
  auto const b = at_run_time::as_any(y);
  auto const values = unique_values(astype(a, promote(a.dtype(), b.dtype())));
  return compress(isin(values, b), values);
}
template <class X, class Y>
requires any_operands<X, Y> any_tensor setdiff1d(X const& x, Y const& y) {
  auto const values = unique_values(at_run_time::as_any(x));
  return compress(logical_not(isin(values, at_run_time::as_any(y))), values);
}

}  // namespace RICCI_ABI
}  // namespace ricci
