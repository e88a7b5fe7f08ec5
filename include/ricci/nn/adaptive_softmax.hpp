// Adaptive softmax (E. Grave and others, Efficient softmax approximation for GPUs, 2017): labels are sorted by how
// often they occur, the frequent ones first; those are scores of a head, and with them one score for each cluster of
// rarer labels, in which a label's own score comes from fewer features, the fewer the rarer it is. It is PyTorch's
// AdaptiveLogSoftmaxWithLoss, whose cutoffs are here followed by the number of labels:
//
//   nn::layer<nn::adaptive_softmax<128, nn::cutoffs{2000, 10000, 50000}>, Kind> words;   // 2000, 8000 and 40000 labels
//   auto cost = words.loss(h, labels);      // h (n, 128), labels (n)
//   auto log_p = words(h);                  // (n, 50000)
//
// The loss computes the scores of all clusters for all rows, and takes those of the label's own: a traced function
// cannot choose rows, and the features of a cluster, In / Div^k, are what makes it cheap.
#pragma once

#include <ricci/nn/activations.hpp>
#include <ricci/nn/cross_entropy.hpp>
#include <ricci/nn/heads.hpp>
#include <ricci/nn/sequential.hpp>
#include <ricci/ops/join.hpp>

namespace ricci::nn {

// Where clusters of labels end, rising; the last one is the number of labels.
template <int N>
struct cutoffs {
  index_t end[N];
  template <class... I>
  constexpr cutoffs(I... ends) : end{static_cast<index_t>(ends)...} {}
};
template <class... I>
cutoffs(I...) -> cutoffs<int(sizeof...(I))>;

struct of_adaptive_softmax {
  static constexpr auto name = "adaptive_softmax";
};

// `Div`: features of cluster k (from 1 on, behind the head) are In / Div^k, at least 1. `HeadBias`: the head has one.
template <index_t In, cutoffs Ends, index_t Div = 4, bool HeadBias = false>
struct adaptive_softmax {
  static constexpr int clusters = int(sizeof(Ends.end) / sizeof(index_t)) - 1;
  static constexpr index_t count = Ends.end[clusters];
  static constexpr bool is_rising = [] {
    index_t before = 0;
    for (index_t const end : Ends.end) {
      if (end <= before) return false;
      before = end;
    }
    return true;
  }();
  static_assert(clusters >= 1 && is_rising,
                "nn::adaptive_softmax: cutoffs rise from above 0, at least two, and the last is the number of labels");
  static_assert(Div >= 1, "nn::adaptive_softmax: features are divided by 1 or more");
  static constexpr index_t features(int k) {
    index_t n = In;
    for (int i = 0; i < k; ++i) n /= Div;
    return n < 1 ? 1 : n;
  }
  template <int K>
  using tail_of = sequential<linear<In, features(K), false>, linear<features(K), Ends.end[K] - Ends.end[K - 1], false>>;
  template <class Kind, int... K>
  static std::tuple<layer<tail_of<K + 1>, Kind>...> tails_of(std::integer_sequence<int, K...>);

  template <class Kind = values>
  struct params {
    layer<linear<In, Ends.end[0] + clusters, HeadBias>, Kind> head;
    decltype(tails_of<Kind>(std::make_integer_sequence<int, clusters>{})) tail;

    constexpr auto operator()(auto const& x) const {
      return fn([](auto const& p, auto const& v) {
        static_assert(rank_of<std::remove_cvref_t<decltype(v)>> == 2, "nn::adaptive_softmax: x is (n, In)");
        auto const first = ricci::eval(log_softmax(ricci::eval(p.head(v))));
        return [&]<int... K>(std::integer_sequence<int, K...>) {
          return ricci::eval(
              ricci::concat(ricci::eval(first(ricci::all, range(0, Ends.end[0]))),
                            ricci::eval(log_softmax(ricci::eval(std::get<std::size_t(K)>(p.tail)(v))) +
                                        first(ricci::all, range(Ends.end[0] + K, Ends.end[0] + K + 1)))...,
                            axis<1>));
        }
        (std::make_integer_sequence<int, clusters>{});
      })(*this, x);
    }
    // minus the mean of the logarithms of the labels' probabilities; a label outside is an index_error
    template <Tensor X, Tensor L>
    constexpr auto loss(X const& x, L const& label) const {
      (void)sizeof(heads::operands_of_head<X, L>);
      return fn([](auto const& p, auto const& v, auto const& labels) {
        using T = value_type_of<std::remove_cvref_t<decltype(v)>>;
        auto const log_of = [](auto const& scores, auto const& at) {
          return ricci::eval(element_of_label<of_adaptive_softmax>(scores, at) - logsumexp(scores, axis<-1>));
        };
        auto const whole = heads::as_int64(labels);
        auto in_head = ricci::eval(ricci::where(whole < Ends.end[0], whole, Ends.end[0]));
        for (int k = 1; k < clusters; ++k)
          in_head = ricci::eval(ricci::where(whole < Ends.end[k], in_head, Ends.end[0] + k));
        in_head = ricci::eval(ricci::where(whole < count, in_head, whole));  // an index_error
        auto log_p = log_of(ricci::eval(p.head(v)), in_head);
        [&]<int... K>(std::integer_sequence<int, K...>) {
          ((log_p =
                [&] {
                  auto const is_here = ricci::eval(ricci::logical_and(whole >= Ends.end[K], whole < Ends.end[K + 1]));
                  auto const place = ricci::eval(ricci::where(is_here, whole - Ends.end[K], 0));
                  auto const inside = log_of(ricci::eval(std::get<std::size_t(K)>(p.tail)(v)), place);
                  return ricci::eval(log_p + ricci::where(is_here, inside, T(0)));
                }()),
           ...);
        }
        (std::make_integer_sequence<int, clusters>{});
        return ricci::eval(-ricci::mean(log_p));
      })(*this, x, label);
    }
  };
};

}  // namespace ricci::nn
