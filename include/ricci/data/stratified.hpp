// Parts of a data set in which every class is as frequent as in the whole: `data::stratified_folds(labels, 5, key)` and
// `data::stratified_split(d, labels, .2f, key)`, beside `folds` and `split` (data/orders.hpp).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <ricci/data/orders.hpp>

namespace ricci::data {

namespace strata {

// All numbers below n, class behind class, in a random order within each.
template <Tensor L>
order by_class(char const* name, L const& labels, random::key const& k) {
  static_assert(rank_of<L> == 1 && is_integer(dtype_of<value_type_of<L>>),
                "stratified parts go by labels, integers of order 1, one for each example");
  order const of = astype<std::int64_t>(labels);
  index_t const n = of.shape(0);
  if (n == 0) core::raise<value_error>(core::text() << name << ": no examples");
  order const mixed = shuffled(n, k);
  std::vector<std::pair<core::where_used<std::int64_t, L>, index_t>> places(
      static_cast<std::size_t>(n));  // classes, and places in `mixed`
  for (index_t i = 0; i < n; ++i) places[std::size_t(i)] = {of.data()[mixed.data()[i]], i};
  std::sort(places.begin(), places.end());
  order all(n);
  for (index_t i = 0; i < n; ++i) all.data()[i] = mixed.data()[places[std::size_t(i)].second];
  return all;
}
// Two parts: the elements of `all` for which `is_held` holds of their place, and the others, each in a random order.
inline parts<order> parted(order const& all, auto const& is_held, random::key const& k) {
  index_t const n = all.shape(0);
  index_t held = 0;
  for (index_t i = 0; i < n; ++i) held += is_held(i);
  order const mixed = shuffled(n, k);
  parts<order> p{order(n - held), order(held)};
  for (index_t i = 0, a = 0, b = 0; i < n; ++i) {
    index_t const at = mixed.data()[i];
    (is_held(at) ? p.held_out.data()[b++] : p.training.data()[a++]) = all.data()[at];
  }
  return p;
}

}  // namespace strata

// `folds` of as many examples as there are labels: sizes of parts, and numbers of a class in them, differ by one at
// most.
template <Tensor L>
std::vector<parts<order>> stratified_folds(L const& labels, index_t count, random::key const& k) {
  order const all = strata::by_class("data::stratified_folds", labels, k.fold(0));
  if (count < 2 || count > all.shape(0))
    core::raise<value_error>(core::text() << "data::stratified_folds: " << count << " folds of " << all.shape(0)
                                          << " examples, where 2 folds or more, and an example in each, were expected");
  std::vector<parts<core::where_used<order, L>>> each;
  for (index_t f = 0; f < count; ++f)
    each.push_back(strata::parted(
        all, [&](index_t i) { return i % count == f; }, k.fold(1 + f)));
  return each;
}
// `split` by labels, one for each example: so many of every class are held out, up to one.
template <class D, Tensor L>
auto stratified_split(D const& d, L const& labels, float fraction, random::key const& k) {
  if (!(fraction >= 0 && fraction <= 1))
    core::raise<value_error>(core::text() << "data::stratified_split: a fraction from 0 to 1 was expected");
  order const all = strata::by_class("data::stratified_split", labels, k.fold(0));
  index_t const n = all.shape(0), held = static_cast<index_t>(double(fraction) * double(n) + .5);
  if (data::count_of(d) != n)
    core::raise<shape_error>(core::text()
                             << "data::stratified_split: " << n << " labels of " << data::count_of(d) << " examples");
  auto const p = strata::parted(
      all, [&](index_t i) { return (i + 1) * held / n > i * held / n; }, k.fold(1));
  return parts<decltype(part_of(d, all))>{part_of(d, p.training), part_of(d, p.held_out)};
}
template <records::IsReferredTo D, Tensor L>
auto stratified_split(D const&&, L const&, float,
                      random::key const&) = delete;  // its parts would refer to what is gone

}  // namespace ricci::data
