// Cross-entropy of scores (..., classes) and integer labels (...): the mean over all places of -log
// softmax(scores)[label]. A label outside of the classes, also a negative one, is an index_error.
#pragma once

#include <limits>

#include <ricci/nn/by_label.hpp>
#include <ricci/ops/composite_functions.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/tensor.hpp>

namespace ricci::nn {

// `smoothing`: so much of a label's weight is shared evenly by all classes (C. Szegedy and others, 2016). `ignored`:
// places with this label count for nothing; where all have it, the mean is 0 / 0.
struct labels {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  double smoothing = 0;
  std::int64_t ignored = none;
};

// Whether labels have the extents of scores without the last one, as far as types show.
template <class Scores, class Labels>
constexpr bool are_scores_and_labels() {
  if (Scores::rank != Labels::rank + 1) return false;
  for (int k = 0; k < Labels::rank; ++k)
    if (Scores::extent(k) >= 0 && Labels::extent(k) >= 0 && Scores::extent(k) != Labels::extent(k)) return false;
  return true;
}
template <class Label, class Scores, class Labels>
struct scores_and_labels {
  static_assert(is_integer(dtype_of<Label>), "nn::cross_entropy: labels are integers");
  static_assert(are_scores_and_labels<Scores, Labels>(),
                "nn::cross_entropy: scores (..., classes), labels (...) (extents of both: see the type above)");
};

struct of_cross_entropy {
  static constexpr auto name = "cross_entropy";
};

template <labels Options, class S, class L, class... W>
constexpr auto cross_entropy_of(S const& scores, L const& label, W const&... weights) {
  using T = value_type_of<S>;
  static_assert(Options.smoothing >= 0 && Options.smoothing <= 1, "nn::cross_entropy: smoothing is from 0 to 1");
  static_assert(((rank_of<W> == 1) && ...), "nn::cross_entropy: weights (classes)");
  constexpr bool ignores = Options.ignored != labels::none;
  static_assert(
      !ignores || static_cast<std::int64_t>(static_cast<value_type_of<L>>(Options.ignored)) == Options.ignored,
      "nn::cross_entropy: no label of that type is the ignored one");
  auto const counts = [&] { return label != static_cast<value_type_of<L>>(Options.ignored); };
  // the caller's tensor itself, where it is that: what is returned refers to it
  auto const place = [&]() -> decltype(auto) {
    if constexpr (ignores)
      return where(counts(), label, value_type_of<L>(0));
    else
      return (label);
  };
  // log softmax(scores) is not written down for the one element that a label names: its score and the logarithm of the
  // sum say it, and rows go through memory once
  auto const of_label = [&] {
    auto const logs = element_of_label<of_cross_entropy>(scores, place()) - logsumexp(scores, axis<-1>);
    if constexpr (sizeof...(W) == 0)
      return logs;
    else
      return logs * (take(weights, place(), axis<0>), ...);
  };
  auto const loss = [&] {
    if constexpr (Options.smoothing == 0) {
      return of_label();
    } else {
      auto const logs = scores - logsumexp(scores, axis<-1>, keepdims);
      return T(1 - Options.smoothing) * of_label() + T(Options.smoothing) * mean((logs * ... * weights), axis<-1>);
    }
  }();
  if constexpr (!ignores && sizeof...(W) == 0) {
    return -mean(loss);
  } else {
    auto const weight = [&] {
      if constexpr (sizeof...(W) == 0)
        return astype<T>(counts());
      else if constexpr (ignores)
        return where(counts(), (take(weights, place(), axis<0>), ...), T(0));
      else
        return (take(weights, place(), axis<0>), ...);
    }();
    if constexpr (ignores)
      return -sum(where(counts(), loss, T(0))) / sum(weight);
    else
      return -sum(loss) / sum(weight);
  }
}

// With `weights` (classes), a place counts as its label's weight does, and with smoothing each class by its own; the
// mean is divided by the sum of the weights of the labels, as PyTorch does.
template <labels Options = labels{}, Tensor S, Tensor L, class... W>
requires(sizeof...(W) <= 1) constexpr auto cross_entropy(S const& scores, L const& label, W const&... weights) {
  (void)sizeof(scores_and_labels<value_type_of<L>, extents_of<S>, extents_of<L>>);
  if constexpr (!are_scores_and_labels<extents_of<S>, extents_of<L>>() || !is_integer(dtype_of<value_type_of<L>>)) {
    return mean(scores);
  } else {
    return cross_entropy_of<Options>(scores, label, weights...);
  }
}

}  // namespace ricci::nn
