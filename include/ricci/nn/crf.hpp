// Labels of a sequence as a whole: a chain of them, in which each pair of neighbours has a score, beside the scores of
// labels at places (J. Lafferty, A. McCallum, F. Pereira, Conditional random fields, 2001).
//
//   nn::layer<nn::crf<5>, Kind> tags;
//   // scores (n, places, 5), labels (n, places), lengths (n)
//   auto cost = rc::mean(tags.loss(scores, labels, lengths));
//   // the likeliest labels (n, places), of values
//   auto best = run.params.tags.decoded(scores, lengths);
#pragma once

#include <vector>

#include <ricci/autodiff/control.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/nn/by_label.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>

namespace ricci::nn {

namespace chains {

struct of_labels {
  static constexpr auto name = "crf";
};
struct of_lengths {
  static constexpr auto name = "crf, a length";
};
// log of the sum of exp(score) of all labellings, less the score of the given one; what stands behind lengths counts
// for nothing
inline constexpr auto loss = [](auto const& p, auto const& scores, auto const& labels, auto const& given_lengths) {
  using T = value_type_of<std::remove_cvref_t<decltype(scores)>>;
  auto const element = [](auto const& x, auto const& at) { return ricci::eval(element_of_label<of_labels>(x, at)); };
  auto const lengths = ricci::eval(numbers_within<of_lengths, 1, 1>(given_lengths, scores));
  auto const places = ricci::eval(ricci::moveaxis(scores, axis<1>, axis<0>));  // (places, n, labels)
  auto const of_places =
      ricci::eval(ricci::astype<std::int64_t>(ricci::moveaxis(labels, axis<1>, axis<0>)));  // (places, n)
  auto const zero = ricci::eval(ricci::zeros_like(places(0)));
  auto const first = ricci::eval(zero + p.first), behind = ricci::eval(zero + p.last);
  auto const none = ricci::eval(ricci::zeros_like(lengths));
  auto const step = [=](auto const& carry, auto const& data) {
    auto const& [all, own, before, t] = carry;
    auto const& [score, own_label] = data;
    auto const goes_on = ricci::eval(t < lengths);
    auto const label = ricci::eval(ricci::where(goes_on, own_label, 0));
    auto const is_first = ricci::eval(t == 0);
    auto const reached = ricci::logsumexp(all(ricci::all, ricci::all, newaxis) + p.transitions, axis<1>);
    auto const next = ricci::eval(score + ricci::where(is_first(ricci::all, newaxis), first, reached));
    auto const from = ricci::eval(ricci::take(p.transitions, before, axis<0>));
    auto const moved = ricci::eval(ricci::where(is_first, element(first, label), element(from, label)));
    auto const added = ricci::eval(own + element(score, label) + moved);
    return std::pair(std::tuple(ricci::eval(ricci::where(goes_on(ricci::all, newaxis), next, all)),
                                ricci::eval(ricci::where(goes_on, added, own)),
                                ricci::eval(ricci::where(goes_on, label, before)), ricci::eval(t + 1)),
                     std::tuple{});
  };
  auto const begin = std::tuple(zero, ricci::eval(ricci::sum(zero, axis<1>)), none, none);
  auto const [all, own, last, t] = std::get<0>(ricci::scan(step, begin, std::tuple(places, of_places)));
  auto const total = ricci::logsumexp(all + p.last, axis<1>);
  return ricci::eval(ricci::where(lengths > 0, total - own - element(behind, last), T(0)));
};

}  // namespace chains

template <index_t Labels, class T = float>
struct crf {
  template <class Kind = values>
  struct params {
    field<Kind, T, Labels, Labels> transitions;  // from a label to the next one
    field<Kind, T, Labels> first, last;
    static params init(key const&) { return params{}; }

    // Minus the logarithm of the probability of each sequence's labels, (n); 0 of an empty one. index_error: a label
    // outside before a sequence's end, also a negative one, and a length that is negative or above that of the scores.
    constexpr auto loss(auto const& scores, auto const& labels, auto const& lengths) const {
      return fn(chains::loss)(*this, scores, labels, lengths);
    }
    // The likeliest labels of each sequence (A. Viterbi, 1967), of values: (n, places), 0 behind its end. Of equally
    // likely ones the first.
    ndarray<std::int64_t, 2> decoded(Tensor auto const& scores, Tensor auto const& lengths) const {
      ndarray<double, 3> const s = astype<double>(scores);
      ndarray<std::int64_t, 1> const ends = astype<std::int64_t>(lengths);
      index_t const n = s.shape(0), places = s.shape(1);
      if (s.shape(2) != Labels || ends.shape(0) != n)
        core::raise<shape_error>(core::text() << "nn::crf: scores (n, places, " << Labels << ") and lengths (n)");
      ndarray<std::int64_t, 2> best(n, places);
      std::vector<index_t> from(std::size_t(places * Labels));
      for (index_t k = 0; k < n; ++k) {
        index_t const end = ends(k);
        if (end < 0 || end > places)
          core::raise<index_error>(core::text() << "nn::crf: a length of " << end << " of " << places << " places");
        if (end == 0) continue;
        double reached[Labels]{}, next[Labels]{};
        for (index_t j = 0; j < Labels; ++j) reached[j] = double(first(j)) + s(k, 0, j);
        for (index_t t = 1; t < end; ++t) {
          for (index_t j = 0; j < Labels; ++j) {
            index_t best_of = 0;
            for (index_t i = 1; i < Labels; ++i)
              if (reached[i] + double(transitions(i, j)) > reached[best_of] + double(transitions(best_of, j)))
                best_of = i;
            from[std::size_t(t * Labels + j)] = best_of;
            next[j] = reached[best_of] + double(transitions(best_of, j)) + s(k, t, j);
          }
          for (index_t j = 0; j < Labels; ++j) reached[j] = next[j];
        }
        index_t at = 0;
        for (index_t j = 1; j < Labels; ++j)
          if (reached[j] + double(last(j)) > reached[at] + double(last(at))) at = j;
        for (index_t t = end; t-- > 0; at = t > 0 ? from[std::size_t(t * Labels + at)] : 0) best(k, t) = at;
      }
      return best;
    }
  };
};

}  // namespace ricci::nn
