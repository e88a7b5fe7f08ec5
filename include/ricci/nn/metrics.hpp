// Measures of what a model says, beside what is right: of classes, numbers and texts. They are taken of values, not in
// traced functions, and have no derivatives; definitions are scikit-learn's where it has them.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include <ricci/core/text.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::nn {

namespace metrics {

template <class A, class B>
void require_same_shape(char const* name, A const& a, B const& b) {
  static_assert(rank_of<A> == rank_of<B>, "what a measure compares has one shape");
  bool same = true, empty = false;
  for (int k = 0; k < rank_of<A>; ++k) {
    same = same && index_t(a.shape()[std::size_t(k)]) == index_t(b.shape()[std::size_t(k)]);
    empty = empty || a.shape()[std::size_t(k)] == 0;
  }
  if (!same || empty)
    core::raise<shape_error>(core::text() << name << ": what is compared has one shape, and is not empty");
}

}  // namespace metrics

// The fraction of elements that are equal: of any shape, both the same.
double accuracy(Tensor auto const& predicted, Tensor auto const& labels) {
  metrics::require_same_shape("nn::accuracy", predicted, labels);
  return double(mean(astype<double>(predicted == labels)));
}

// The fraction of labels (n) that are among the k classes of highest score: scores (n, classes). Of equal scores the
// later class goes first; NaN goes before all, and a label whose score is NaN is not among them.
double top_k_accuracy(Tensor auto const& scores, Tensor auto const& labels, index_t k) {
  ndarray<double, 2> const s = astype<double>(scores);
  ndarray<std::int64_t, 1> const l = astype<std::int64_t>(labels);
  index_t const n = s.shape(0), classes = s.shape(1);
  if (l.shape(0) != n || n == 0)
    core::raise<shape_error>(core::text() << "nn::top_k_accuracy: scores (n, classes), labels (n)");
  index_t right = 0;
  for (index_t row = 0; row < n; ++row) {
    index_t const own = l(row);
    if (own < 0 || own >= classes)
      core::raise<index_error>(core::text() << "nn::top_k_accuracy: label " << own << " of " << classes << " classes");
    index_t above = 0;
    for (index_t c = 0; c < classes; ++c) above += !(s(row, c) < s(row, own) || (c <= own && s(row, c) == s(row, own)));
    right += above < k;
  }
  return double(right) / double(n);
}

// How often each class (rows) was taken for each (columns): both (n), integers from 0 to classes - 1.
ndarray<std::int64_t, 2> confusion_matrix(Tensor auto const& predicted, Tensor auto const& labels, index_t classes) {
  ndarray<std::int64_t, 1> const p = astype<std::int64_t>(predicted), l = astype<std::int64_t>(labels);
  metrics::require_same_shape("nn::confusion_matrix", p, l);
  ndarray<std::int64_t, 2> m = zeros<std::int64_t>(shape(classes, classes));
  for (index_t k = 0; k < p.size(); ++k) {
    for (index_t const c : {index_t(p(k)), index_t(l(k))})
      if (c < 0 || c >= classes)
        core::raise<index_error>(core::text() << "nn::confusion_matrix: class " << c << " of " << classes);
    m(index_t(l(k)), index_t(p(k))) += 1;
  }
  return m;
}

// Of each class: how many of those taken for it are of it (precision), how many of it are taken for it (recall), the
// weighted harmonic mean of both (F_beta, C. J. van Rijsbergen, 1979), and how many there are of it (support). What is
// 0 / 0 is 0. The macro average of a measure is rc::mean of it. A matrix that is not square is a shape_error.
struct class_measures {
  ndarray<double, 1> precision, recall, f;
  ndarray<std::int64_t, 1> support;
};
inline class_measures precision_recall_f(ndarray<std::int64_t, 2> const& confusion, double beta = 1) {
  index_t const n = confusion.shape(0);
  if (!(beta >= 0))
    core::raise<value_error>(core::text() << "nn::precision_recall_f: a beta of 0 or more was expected");
  if (confusion.shape(1) != n)
    core::raise<shape_error>(core::text() << "nn::precision_recall_f: (classes, classes) is expected, not (" << n
                                          << ", " << confusion.shape(1) << ")");
  class_measures m{zeros<double>(shape(n)), zeros<double>(shape(n)), zeros<double>(shape(n)),
                   zeros<std::int64_t>(shape(n))};
  auto const ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
  for (index_t c = 0; c < n; ++c) {
    std::int64_t taken = 0, own = 0;
    for (index_t k = 0; k < n; ++k) taken += confusion(k, c), own += confusion(c, k);
    auto const right = double(confusion(c, c));
    double const p = ratio(right, double(taken)), r = ratio(right, double(own));
    m.precision(c) = p, m.recall(c) = r, m.support(c) = own;
    m.f(c) = beta > 1e150 ? (p > 0 ? r : 0) : ratio((1 + beta * beta) * p * r, beta * beta * p + r);
  }
  return m;
}

// The part of the variance of the targets that is explained: 1 - sum (t - p)^2 / sum (t - mean t)^2, of any shape.
// Where all targets are equal, 1 if each is met, else 0.
double r2(Tensor auto const& predicted, Tensor auto const& targets) {
  metrics::require_same_shape("nn::r2", predicted, targets);
  double const average = double(mean(astype<double>(targets)));
  double const left = double(sum(square(astype<double>(targets) - astype<double>(predicted))));
  double const all = double(sum(square(astype<double>(targets) - average)));
  if (all == 0 && left == left) return left == 0 ? 1 : 0;
  return 1 - left / all;
}

// e to the mean cross-entropy of a model of sequences, in nats.
inline double perplexity(double mean_cross_entropy) { return std::exp(mean_cross_entropy); }

// How many insertions, deletions and replacements make one sequence of another (V. Levenshtein, 1966): texts, vectors
// or tensors of order 1. Divided by the length of the right one it is the error rate of characters or words.
template <class A, class B>
index_t edit_distance(A const& a, B const& b) {
  std::vector<index_t> row(1, 0);
  for (auto const& y : b) (void)y, row.push_back(row.back() + 1);
  index_t place = 0;
  for (auto const& x : a) {
    index_t diagonal = place++;
    row[0] = place;
    std::size_t j = 0;
    for (auto const& y : b) {
      index_t const replaced = diagonal + !(x == y);
      diagonal = row[++j];
      index_t const shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
      row[j] = replaced < shorter + 1 ? replaced : shorter + 1;
    }
  }
  return row.back();
}

// Of many sequences, what is said and what is right: their edit distances over the lengths of the right ones, which is
// the error rate of characters (of texts) or words (of vectors of them). A shape_error where there are not as many of
// both, a value_error where the right ones are all empty.
template <class A, class B>
double error_rate(A const& predicted, B const& right) {
  auto p = predicted.begin();
  double wrong = 0, length = 0;
  index_t count = 0;
  for (auto const& r : right) {
    if (p == predicted.end()) break;
    wrong += double(edit_distance(*p++, r));
    for (auto const& unit : r) (void)unit, ++length;
    ++count;
  }
  if (count != index_t(right.size()) || p != predicted.end())
    core::raise<shape_error>(core::text() << "nn::error_rate: as many sequences are predicted as are right");
  if (length == 0) core::raise<value_error>(core::text() << "nn::error_rate: what is right is empty");
  return wrong / length;
}

}  // namespace ricci::nn
