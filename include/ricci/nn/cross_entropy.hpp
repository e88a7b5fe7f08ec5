// The mean over all places of -log softmax(scores)[label]: scores (..., classes), labels (...), integers. A label
// outside of the classes is an index_error.
#pragma once

#include <ricci/ops/composite_functions.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/tensor.hpp>

namespace ricci::nn {

template <Tensor S, Tensor L>
constexpr auto cross_entropy(S const& scores, L const& labels) {
  static_assert(is_integer(dtype_of<value_type_of<L>>), "nn::cross_entropy: labels are integers");
  static_assert(rank_of<S> == rank_of<L> + 1, "nn::cross_entropy: scores (..., classes), labels (...)");
  auto const right = take_along_axis(scores, labels(ellipsis, newaxis), axis<-1>);
  return mean(logsumexp(scores, axis<-1>) - sum(right, axis<-1>));
}

}  // namespace ricci::nn
