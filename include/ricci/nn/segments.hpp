// Rows by the segments that they belong to, as the messages of a graph's edges by the nodes that they arrive at:
//
//   auto const messages = rc::take(h, from, rc::axis<0>);                      // (edges, n)
//   auto const sums = nn::segment_sum(messages, to, h.shape(0));               // (nodes, n)
//
// values (k, ...), segments (k), integers from 0 on: (count, ...); the order of rows does not matter. index_error: a
// segment that is negative or not below count. The names are those of JAX (`jax.ops.segment_sum`) and TensorFlow.
#pragma once

#include <ricci/nn/by_label.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

namespace segments {
template <class V, class S>
struct operands {
  static_assert(rank_of<V> >= 1 && rank_of<S> == 1 && is_integer(dtype_of<value_type_of<S>>),
                "sums of segments take values (k, ...) and the segment of each, (k), integers");
};
struct of_sum {
  static constexpr auto name = "segment_sum";
};
struct of_mean {
  static constexpr auto name = "segment_mean";
};
template <class Caller>
constexpr auto summed(auto const& values, auto const& of, auto const& count) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto const none = ricci::eval(ricci::zeros<value_type_of<std::remove_cvref_t<decltype(values)>>>(
        shape(count, values.shape(int(I) + 1)...), like(values)));
    return ricci::eval(added_by_label<Caller>(none, of, values));
  }
  (std::make_index_sequence<std::size_t(rank_of<std::remove_cvref_t<decltype(values)>> - 1)>{});
}
}  // namespace segments

template <Tensor V, Tensor S>
constexpr auto segment_sum(V const& values, S const& of, auto const& count) {
  (void)sizeof(segments::operands<V, S>);
  return segments::summed<segments::of_sum>(values, of, count);
}
// of an empty segment 0
template <Tensor V, Tensor S>
constexpr auto segment_mean(V const& values, S const& of, auto const& count) {
  (void)sizeof(segments::operands<V, S>);
  using T = value_type_of<V>;
  auto const rows = [&] {
    if constexpr (is_symbol<V>)
      return ricci::eval(ricci::ones<T>(shape(values.shape(0)), like(values)));
    else
      return ricci::eval(ricci::ones<T>(shape(values.shape(0))));
  }();
  auto const numbers = ricci::eval(ricci::maximum(segments::summed<segments::of_mean>(rows, of, count), T(1)));
  auto const sums = segments::summed<segments::of_mean>(values, of, count);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ricci::eval(sums / ricci::reshape(numbers, shape(count, index_t(I * 0 + 1)...)));
  }
  (std::make_index_sequence<std::size_t(rank_of<V> - 1)>{});
}

}  // namespace ricci::nn
