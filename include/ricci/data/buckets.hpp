// Batches of sequences of about the same length, so that little is padding.
#pragma once

#include <ricci/data/orders.hpp>
#include <ricci/data/plan.hpp>

namespace ricci::data {

// Bucket b has the lengths up to ends[b] that no bucket before it has, and one more has what is longer; each has
// batches of its own, of `size` examples, with a rest of its own.
struct bucket_options {
  std::vector<index_t> ends;
  index_t size = 0;
  data::rest rest = data::rest::fair;
};
// Every example is in one batch (but what `drop` leaves out), examples in their buckets and batches among each other in
// the key's order. Ends that do not rise are a value_error, and so is `drop` where it leaves nothing.
template <Tensor L>
plan bucketed(L const& lengths, bucket_options const& o, random::key const& k) {
  static_assert(rank_of<L> == 1 && is_integer(dtype_of<value_type_of<L>>),
                "data::bucketed: the lengths are integers of order 1");
  plans::check_size(o.size);
  for (std::size_t b = 1; b < o.ends.size(); ++b)
    if (o.ends[b] <= o.ends[b - 1])
      core::raise<value_error>(core::text() << "data::bucketed: the ends of buckets rise, and " << o.ends[b - 1]
                                            << " comes before " << o.ends[b]);
  order const of = astype<std::int64_t>(lengths);
  index_t const n = of.shape(0);
  order const all = shuffled(n, k.fold(0));
  using number = core::where_used<index_t, L>;
  std::vector<std::vector<number>> buckets(o.ends.size() + 1);
  for (index_t i = 0; i < n; ++i) {
    std::size_t b = 0;
    while (b < o.ends.size() && of(all(i)) > o.ends[b]) ++b;
    buckets[b].push_back(all(i));
  }
  std::vector<number> flat, ends{0};
  for (auto const& bucket : buckets) {
    index_t const begin = index_t(flat.size());
    flat.insert(flat.end(), bucket.begin(), bucket.end());
    plans::append_ends(ends, begin, index_t(flat.size()), {o.size, o.rest});
    if (ends.back() < index_t(flat.size())) flat.resize(std::size_t(ends.back()));  // dropped
  }
  index_t const count = index_t(ends.size()) - 1;
  if (n > 0 && count == 0)
    core::raise<value_error>(core::text() << "data::bucketed: of " << n << " examples no bucket has a batch of "
                                          << o.size << ", and rest::drop leaves none of them");
  order const turns = shuffled(count, k.fold(1));
  order rows(index_t(flat.size()));
  std::vector<number> starts{0};
  for (index_t t = 0; t < count; ++t) {
    index_t at = starts.back();
    for (index_t i = ends[std::size_t(turns(t))]; i < ends[std::size_t(turns(t)) + 1]; ++i)
      rows(at++) = flat[std::size_t(i)];
    starts.push_back(at);
  }
  return plan(static_cast<order&&>(rows), static_cast<std::vector<index_t>&&>(starts));
}

}  // namespace ricci::data
