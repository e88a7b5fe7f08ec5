// Measures of an order: scores of items, of which some are relevant. Rows are queries; definitions are scikit-learn's,
// means over the queries. They are taken of values, and have no derivatives.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <ricci/core/text.hpp>
#include <ricci/core/where_used.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::nn {

namespace metrics {

struct scored {
  double score, relevance;
  index_t place = 0;
};
inline void refuse_nan(char const* name, double score) {
  if (score != score) core::raise<value_error>(core::text() << name << ": a score is NaN");
}
template <class Use>
using scored_items = std::vector<core::where_used<scored, Use>>;
// The items of a query, highest score first; of equal ones the first one first.
template <class Use>
scored_items<Use> ordered(char const* name, ndarray<double, 2> const& scores, ndarray<double, 2> const& relevance,
                          index_t row) {
  scored_items<Use> all;
  for (index_t k = 0; k < scores.shape(1); ++k) {
    refuse_nan(name, scores(row, k));
    all.push_back({scores(row, k), relevance(row, k), k});
  }
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) {
    return a.score > b.score || (a.score == b.score && a.place < b.place);
  });
  return all;
}
// f(items in order) for each query, and the mean
template <class F>
double mean_over_queries(char const* name, Tensor auto const& scores, Tensor auto const& relevance, F const& f) {
  ndarray<double, 2> const s = astype<double>(scores), r = astype<double>(relevance);
  if (s.shape(0) != r.shape(0) || s.shape(1) != r.shape(1) || s.size() == 0)
    core::raise<shape_error>(core::text() << name << ": scores and relevance are (queries, items), and not empty");
  double total = 0;
  for (index_t row = 0; row < s.shape(0); ++row) total += f(ordered<F>(name, s, r, row));
  return total / double(s.shape(0));
}
// f(begin, end) for each group of equal scores
void for_each_tie(auto const& all, auto const& f) {
  for (std::size_t begin = 0, end; begin < all.size(); begin = end) {
    end = begin + 1;
    while (end < all.size() && all[end].score == all[begin].score) ++end;
    f(begin, end);
  }
}

}  // namespace metrics

// 1 / the place of the first relevant item, 0 where none is: scores and relevant, (queries, items).
double mean_reciprocal_rank(Tensor auto const& scores, Tensor auto const& relevant) {
  return metrics::mean_over_queries("nn::mean_reciprocal_rank", scores, relevant, [](auto const& all) {
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].relevance > 0) return 1 / double(k + 1);
    return 0.;
  });
}

// The mean of the precisions at each relevant item, 0 where none is: scores and relevant, (queries, items). Items of
// equal score are taken together.
double mean_average_precision(Tensor auto const& scores, Tensor auto const& relevant) {
  return metrics::mean_over_queries("nn::mean_average_precision", scores, relevant, [](auto const& all) {
    double found = 0, sum = 0;
    metrics::for_each_tie(all, [&](std::size_t begin, std::size_t end) {
      double more = 0;
      for (std::size_t k = begin; k < end; ++k) more += all[k].relevance > 0;
      found += more;
      sum += more * found / double(end);
    });
    return found == 0 ? 0. : sum / found;
  });
}

// Normalised discounted cumulative gain (K. Jaervelin, J. Kekaelaeinen, 2002): the sum of relevances, each divided by
// log2(place + 1), over that of the best order: scores and relevance (0 or more), (queries, items). Items of equal
// score share the mean of their relevances; `most` items count, all where it is 0.
double ndcg(Tensor auto const& scores, Tensor auto const& relevance, index_t most = 0) {
  return metrics::mean_over_queries("nn::ndcg", scores, relevance, [most](auto all) {
    auto const discount = [most](std::size_t k) {
      return most > 0 && index_t(k) >= most ? 0 : 1 / std::log2(double(k + 2));
    };
    double gain = 0, best = 0;
    for (auto const& x : all)
      if (!(x.relevance >= 0))
        core::raise<value_error>(core::text() << "nn::ndcg: a relevance that is negative or NaN");
    metrics::for_each_tie(all, [&](std::size_t begin, std::size_t end) {
      double relevances = 0, discounts = 0;
      for (std::size_t k = begin; k < end; ++k) relevances += all[k].relevance, discounts += discount(k);
      gain += relevances / double(end - begin) * discounts;
    });
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.relevance > b.relevance; });
    for (std::size_t k = 0; k < all.size(); ++k) best += all[k].relevance * discount(k);
    return best == 0 ? 0. : gain / best;
  });
}

// Precision and recall where all examples of a score of `thresholds` or more are taken for positive, from the lowest
// threshold on, and at the end 1 and 0, where none is: scores and positive (n). A value_error where none is positive.
struct precision_and_recall {
  std::vector<double> precision, recall, thresholds;
};
precision_and_recall precision_recall_curve(Tensor auto const& scores, Tensor auto const& positive) {
  ndarray<double, 1> const s = astype<double>(scores), p = astype<double>(positive);
  if (s.size() != p.size())
    core::raise<shape_error>(core::text() << "nn::precision_recall_curve: scores and positive are (n)");
  metrics::scored_items<decltype(scores)> all;
  double positives = 0;
  for (index_t k = 0; k < s.size(); ++k) {
    metrics::refuse_nan("nn::precision_recall_curve", s(k));
    all.push_back({s(k), p(k)});
    positives += p(k) > 0;
  }
  if (positives == 0) core::raise<value_error>(core::text() << "nn::precision_recall_curve: no example is positive");
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.score > b.score; });
  precision_and_recall c{{1}, {0}, {}};
  double found = 0;
  metrics::for_each_tie(all, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) found += all[k].relevance > 0;
    c.precision.push_back(found / double(end)), c.recall.push_back(found / positives);
    c.thresholds.push_back(all[begin].score);
  });
  for (auto* each : {&c.precision, &c.recall, &c.thresholds}) std::reverse(each->begin(), each->end());
  return c;
}

// The area under the receiver operating characteristic: how likely a positive example has a higher score than a
// negative one, where equal ones count as half (J. A. Hanley, B. J. McNeil, 1982). Both (n); a value_error where all
// are positive, or none, or a score is NaN.
double auroc(Tensor auto const& scores, Tensor auto const& positive) {
  ndarray<double, 1> const s = astype<double>(scores), p = astype<double>(positive);
  if (s.size() != p.size()) core::raise<shape_error>(core::text() << "nn::auroc: scores and positive are (n)");
  metrics::scored_items<decltype(scores)> all;
  for (index_t k = 0; k < s.size(); ++k) {
    metrics::refuse_nan("nn::auroc", s(k));
    all.push_back({-s(k), p(k)});  // ascending by what is negated
  }
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.score > b.score; });
  double below = 0, positives = 0, area = 0;
  metrics::for_each_tie(all, [&](std::size_t begin, std::size_t end) {
    double hits = 0;
    for (std::size_t k = begin; k < end; ++k) hits += all[k].relevance > 0;
    double const misses = double(end - begin) - hits;
    area += hits * (below + misses / 2);
    below += misses, positives += hits;
  });
  if (below == 0 || positives == 0)
    core::raise<value_error>(core::text() << "nn::auroc: both positive and negative examples are needed");
  return area / (below * positives);
}

}  // namespace ricci::nn
