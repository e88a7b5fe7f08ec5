// Orders in which examples come: as they are, shuffled, drawn by weights, and parts of them. An order is a function of
// its key, and so the same for any number of threads and whenever it is asked for again.
#pragma once

#include <ricci/core/owned_array.hpp>
#include <ricci/core/radix_sort.hpp>
#include <ricci/core/where_used.hpp>
#include <ricci/data/records.hpp>
#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/random/permutation.hpp>

namespace ricci::data {

// Templates, so that they are compiled where they are called and not where this is included.
template <class = void>
order in_order(index_t n) {
  order all(n);
  for (index_t k = 0; k < n; ++k) all.data()[k] = k;
  return all;
}
// Every number below n once: `random::permutation(k, n)`, without a statement, which every program that learns would
// have to plan.
template <class = void>
order shuffled(index_t n, random::key const& k) {
#if RICCI_SMALL_STACK  // where digits are not counted
  return random::permutation(k, n);
#else
  using entry = core::placed_key<std::uint64_t>;
  order all(n);
  core::owned_array<std::uint64_t> words(n);
  core::owned_array<entry> entries(2 * n);
  random::philox_row(&words[0], k.item(), 0, n);
  for (index_t i = 0; i < n; ++i) entries[i] = {words[i], i};
  entry const* const sorted = core::radix_sort(&entries[0], &entries[n], n);
  for (index_t i = 0; i < n; ++i) all.data()[i] = sorted[i].at;
  return all;
#endif
}
// `count` numbers, each drawn with a probability in proportion to its weight, again and again (with replacement): what
// is rare can come as often as what is not. Weights and their sum are finite, none is negative, and one at least is
// above zero: else a value_error.
template <Tensor W>
order sampled(W const& weights, index_t count, random::key const& k) {
  static_assert(rank_of<W> == 1, "data::sampled: the weights have order 1, one for each example");
  // a type of the template, so that a file that draws none does not pay for the drawing
  ndarray<std::conditional_t<Tensor<W>, double, void>, 1> const w = astype<double>(weights);
  double sum = 0;
  for (index_t i = 0; i < w.shape(0); ++i) {
    if (!(w(i) >= 0 && w(i) <= std::numeric_limits<double>::max()))
      core::raise<value_error>(core::text()
                               << "data::sampled: the weight of example " << i << " is negative or not finite");
    sum += w(i);
  }
  if (!(sum > 0))
    core::raise<value_error>(core::text() << "data::sampled: none of " << w.shape(0) << " weights is above zero");
  if (!(sum <= std::numeric_limits<double>::max()))
    core::raise<value_error>(core::text() << "data::sampled: the sum of " << w.shape(0) << " weights is not finite");
  return random::choice(k, w.shape(0), shape(count), w);
}

// Weights with which every class comes as often as the others: one over the number of examples of each one's class.
// Labels are integers from 0.
template <Tensor L>
ndarray<double, 1> balancing_weights(L const& labels) {
  static_assert(rank_of<L> == 1 && is_integer(dtype_of<value_type_of<L>>),
                "data::balancing_weights: the labels are integers of order 1");
  order const of = astype<std::int64_t>(labels);
  std::vector<core::where_used<index_t, L>> count;
  for (index_t i = 0; i < of.shape(0); ++i) {
    if (of(i) < 0)
      core::raise<value_error>(core::text() << "data::balancing_weights: label " << of(i) << " of example " << i
                                            << " is below zero");
    if (std::size_t(of(i)) >= count.size()) count.resize(std::size_t(of(i)) + 1);
    ++count[std::size_t(of(i))];
  }
  ndarray<double, 1> w(of.shape(0));
  for (index_t i = 0; i < of.shape(0); ++i) w(i) = 1. / double(count[std::size_t(of(i))]);
  return w;
}

template <class D>
struct parts {
  D training, held_out;
};
// `fraction` of the examples, rounded, are held out.
template <class D>
auto split(D const& d, float fraction, random::key const& k) {
  if (!(fraction >= 0 && fraction <= 1)) {
    core::text t;
    t << "data::split: a fraction of ";
    if (fraction >= -1e6f && fraction <= 1e6f)
      t << index_t(double(fraction) * 100.) << " %";
    else
      t << (fraction == fraction ? "1e6 or more in size" : "NaN");
    core::raise<value_error>(t << ", where 0 to 1 was expected");
  }
  index_t const n = data::count_of(d);
  auto const held = static_cast<index_t>(double(fraction) * double(n) + .5);
  order const all = shuffled(n, k);
  return parts<decltype(part_of(d, all))>{part_of(d, records::slice_of(all, held, n)),
                                          part_of(d, records::slice_of(all, 0, held))};
}
template <records::IsReferredTo D>
auto split(D const&&, float, random::key const&) = delete;  // its parts would refer to what is gone
// Numbers below n in `count` parts at random, whose sizes differ by one at most: part k is held out in fold k, and the
// others are for training. `for (auto const& [training, held_out] : data::folds(n, 5, key))`, and the examples are
// those of rows_of or subset_of.
template <class Use = void>
std::vector<parts<order>> folds(index_t n, index_t count, random::key const& k) {
  if (count < 2 || count > n)
    core::raise<value_error>(core::text() << "data::folds: " << count << " folds of " << n
                                          << " examples, where 2 folds or more, and an example in each, were expected");
  order const all = shuffled(n, k);
  std::vector<parts<core::where_used<order, Use>>> each;
  for (index_t f = 0; f < count; ++f) {
    index_t const begin = f * n / count, end = (f + 1) * n / count;
    parts<order> p{order(n - (end - begin)), records::slice_of(all, begin, end)};
    for (index_t i = 0; i < n - (end - begin); ++i)
      p.training.data()[i] = all.data()[i < begin ? i : i + (end - begin)];
    each.push_back(static_cast<parts<order>&&>(p));
  }
  return each;
}

}  // namespace ricci::data
