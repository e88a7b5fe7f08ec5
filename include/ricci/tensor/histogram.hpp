// Counts of integers and of what lies in bins: `rc::bincount(x)`, `rc::histogram(x, 10)`. Where the length of a result
// is given or follows from bins, it is an expression as any, also of symbols in a traced function.
#pragma once

#include <limits>
#include <utility>

#include <ricci/ops/histogram.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/tensor/create.hpp>
#include <ricci/tensor/searching.hpp>

namespace ricci {

// `rc::bincount(x, rc::minlength{8})`
struct minlength {
  index_t value = 0;
};
// `rc::histogram(x, 10, rc::density)`
struct density_t {};
inline constexpr density_t density{};
// `rc::histogram(x, 10, rc::weights(w))`: the sum of weights in place of a count.
template <class W>
struct weights_t {
  W values;
};
template <class W>
requires operands<W>
constexpr weights_t<W> weights(W&& w) { return {static_cast<W&&>(w)}; }

namespace storage {
inline namespace RICCI_ABI {

template <class X>
struct counts_integers {
  static_assert(is_integer(dtype_of<value_type_of<X>>), "bincount: what is counted are integers");
};
// The length of bincount's result: one more than the greatest element of x, at least `least`. value_error: an element,
// or `least`, is negative.
template <class V>
index_t counts_length(V const& x, index_t least) {
  index_t most = -1, lowest = 0;
  for (auto const i : x) {
    auto const k = static_cast<index_t>(i);
    most = k > most ? k : most;
    lowest = k < lowest ? k : lowest;
  }
  if (lowest < 0) core::raise<value_error>(core::text() << "bincount: " << lowest << " is negative");
  if (least < 0) core::raise<value_error>(core::text() << "bincount: minlength is " << least);
  if (most >= core::most_bytes) core::raise<value_error>(core::text() << "bincount: " << most << " is too large");
  return most < least ? least : most + 1;
}

// value_error: the range is not ascending or not finite.
inline void require_range(interval range) {
  if (!(range.low < range.high && range.high - range.low <= std::numeric_limits<double>::max()))
    core::raise<value_error>(core::text() << "histogram: a range goes from a number to a greater one, both finite");
}
// value_error: there is no bin, or edges descend; where they were found (`Found`), elements that have no range. In a
// traced function, whose elements are not there yet, nothing is looked at.
template <bool Found, class E>
constexpr void check_edges(E const& edges) {
  if constexpr (!is_symbol<E>) {
    auto const* const e = edges.data();
    index_t const n = edges.size() - 1;
    if (n < 1) core::raise<value_error>(core::text() << "histogram: there are " << n << " bins");
    if (Found && !(scalar::isfinite(e[0]) && scalar::isfinite(e[n])))
      core::raise<value_error>(core::text()
                               << "histogram: among the elements are infinite ones or NaN, so bins need a range");
    for (index_t k = 0; k < n; ++k)
      if (!(e[k] <= e[k + 1]))
        core::raise<value_error>(core::text() << "histogram: edges " << k << " and " << k + 1 << " do not ascend");
  }
}
// edges as they are given, or found for a number of bins
template <class X, class B>
constexpr auto edges_of(X const& x, B const& bins) {
  auto const edges = [&] {
    if constexpr (Tensor<B>) {
      static_assert(rank_of<B> == 1, "histogram: edges are of order 1");
      return now(bins);
    } else
      return now(call_operation<histogram_bin_edges_t>(target_shape(shape_of_length(bins), x), x));
  }();
  check_edges<!Tensor<B>>(edges);
  return edges;
}
// counts over their sum and the width of their bins, and the edges
template <class P>
constexpr auto density_of(P const& histogram) {
  auto const& [counts, edges] = histogram;
  return std::pair{now(call_operation<histogram_density_t>(no_attributes{}, counts, edges)), edges};
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

RICCI_WRONG_CALL(bincount,
                 "bincount takes integers, then the weights, if there are any, as a tensor, then the length: "
                 "rc::bincount(x, w, rc::shape(4)), or the least one, rc::bincount(x, w, rc::minlength{4})")

// (n,): how often each of 0 ... n - 1 is there among the integers x, (k,), where n is given as a shape: int64. An
// integer that is not below n, or negative, is an index_error.
template <class X, ShapeArgument S>
requires(Tensor<X>) constexpr auto bincount(X&& x, S const& length) {
  (void)sizeof(storage::counts_integers<X>);
  return call_operation<bincount_t>(target_shape(shapes::argument(length), x), static_cast<X&&>(x));
}
// The sum of the weights of each, (k,), in their own floating type; integers count as double.
template <class X, class W, ShapeArgument S>
requires(Tensor<X>&& Tensor<W>) constexpr auto bincount(X&& x, W&& weights, S const& length) {
  (void)sizeof(storage::counts_integers<X>);
  return call_operation<bincount_t>(target_shape(shapes::argument(length), x), static_cast<X&&>(x),
                                    static_cast<W&&>(weights));
}
// The same with as many as there are, at least as many as are asked for: computed at once. A negative integer is a
// value_error.
template <class X>
requires(Tensor<X>) auto bincount(X const& x, minlength least = {}) {
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  (void)sizeof(storage::counts_integers<X>);
  static_assert(rank_of<X> == 1, "bincount: what is counted is of order 1");
  auto const& v = storage::stored_value(x);
  auto counts = zeros<std::int64_t>(shape(storage::counts_length(v, least.value)));
  for (auto const i : v) ++counts.data()[static_cast<index_t>(i)];
  return counts;
}
template <class X, class W>
requires(Tensor<X>&& Tensor<W>) auto bincount(X const& x, W const& weights, minlength least = {}) {
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  (void)sizeof(storage::counts_integers<X>);
  (void)sizeof(derived_by_nobody<W>);
  static_assert(rank_of<X> == 1 && rank_of<W> == 1, "bincount: integers and weights are of order 1");
  using T = type_of<floating_type_for(dtype_of<value_type_of<W>>)>;
  using N = computed_t<T>;
  auto const& v = storage::stored_value(x);
  auto const& w = storage::stored_value(weights);
  if (v.shape(0) != w.shape(0))
    shapes::raise_misfit(bincount_t::name, shape_t{1, {v.shape(0)}}, shape_t{1, {w.shape(0)}});
  auto sums = zeros<N>(shape(storage::counts_length(v, least.value)));
  for (index_t k = 0; k < v.shape(0); ++k)
    sums.data()[static_cast<index_t>(v.data()[k])] += scalar::convert<N>(w.data()[k]);
  if constexpr (std::is_same_v<T, N>)
    return sums;
  else
    return eval(astype<T>(sums));
}

// (n + 1,): edges of n bins at equal distances, from the least element of x to the greatest. n: a number, or
// rc::extents<10>{}, by which the type knows the length.
template <class X, class N>
requires(Tensor<X> && (Extent<N> || shapes::is_extents<N>)) constexpr auto histogram_bin_edges(X&& x, N const& bins) {
  return call_operation<histogram_bin_edges_t>(target_shape(storage::shape_of_length(bins), x), static_cast<X&&>(x));
}
// Counts, (n,), int64, and edges, (n + 1,), of n bins or between edges that ascend. A bin has its left edge, the last
// one both; what lies outside, or is NaN, is not counted. A pair of tensors, computed at once, and of symbols in a
// traced function. value_error: no bin; edges that descend; a number of bins alone where x has NaN or infinite
// elements.
template <class X, class B>
requires(Tensor<X> && (Tensor<B> || Extent<B> || shapes::is_extents<B>)) constexpr auto histogram(X const& x,
                                                                                                  B const& bins) {
  auto const edges = storage::edges_of(x, bins);
  return std::pair{storage::now(histogram_counts_t{}(ravel(x), edges)), edges};
}
// Bins between two numbers. value_error: the range is not ascending or not finite.
template <class X, class N>
requires(Tensor<X> && (Extent<N> || shapes::is_extents<N>)) constexpr auto histogram(X const& x, N const& bins,
                                                                                     interval range) {
  using T = type_of<histogram_bin_edges_t::type_of_result(dtype_of<value_type_of<X>>)>;
  storage::require_range(range);
  if constexpr (shapes::is_extents<N>)
    return histogram(x, linspace<T>(range.low, range.high, extents<N::extent(0) + 1>{}));
  else
    return histogram(x, linspace<T>(range.low, range.high, bins + 1));
}
// Sums of weights, which have the shape of x (else a compile error or a shape_error), in place of counts. (Bins in a
// range: linspace gives their edges.)
template <class X, class B, class W>
requires(Tensor<X>) constexpr auto histogram(X const& x, B const& bins, weights_t<W> const& w) {
  auto const edges = storage::edges_of(x, bins);
  static_assert(rank_of<X> == rank_of<std::remove_cvref_t<W>>, "histogram: there is a weight for each element");
  return std::pair{storage::now(histogram_weights_t{}(ravel(x), edges, ravel(w.values))), edges};
}
// The counts over their sum and the width of their bins, so that their integral is 1.
template <class X, class B>
requires(Tensor<X>) constexpr auto histogram(X const& x, B const& bins, density_t) {
  return storage::density_of(histogram(x, bins));
}
template <class X, class N>
requires(Tensor<X>) constexpr auto histogram(X const& x, N const& bins, interval range, density_t) {
  return storage::density_of(histogram(x, bins, range));
}
template <class X, class B, class W>
requires(Tensor<X>) constexpr auto histogram(X const& x, B const& bins, weights_t<W> const& w, density_t) {
  return storage::density_of(histogram(x, bins, w));
}

template <class Given = void>
constexpr std::pair<wrong::result, wrong::result> histogram(wrong::argument = {}, wrong::argument = {},
                                                            wrong::argument = {}, wrong::argument = {}) {
  static_assert(always_false<Given>,
                "histogram takes a tensor, then a number of bins, an integer, or a tensor of edges: rc::histogram(x, "
                "10), rc::histogram(x, 10, {0, 1}), rc::histogram(x, edges); rc::weights(w) and rc::density stand "
                "behind these");
  return {};
}

}  // namespace RICCI_ABI
}  // namespace ricci
