// Batches of a data set as a sequence: by a plan, or shuffled by a key.
#pragma once

#include <ricci/data/orders.hpp>
#include <ricci/data/plan.hpp>
#include <ricci/data/sequence.hpp>

namespace ricci::data {

// The batches of a plan. A data set that is an lvalue is referred to, another one is kept.
template <class D>
auto batches(D&& d, plan p) {
  using Set = std::remove_cvref_t<D>;
  index_t const n = p.size();
  if constexpr (std::is_lvalue_reference_v<D>)
    return sequence<batch_t<Set>>(
        n, [from = &d, by = static_cast<plan&&>(p)](index_t k) -> batch_t<Set> { return rows_of(*from, by[k]); });
  else
    return sequence<batch_t<Set>>(n,
                                  [from = static_cast<D&&>(d), by = static_cast<plan&&>(p)](index_t k) -> batch_t<Set> {
                                    return rows_of(from, by[k]);
                                  });
}
// Every example once, in the order of a key. What is left at the end is as `rest` says (data/plan.hpp).
template <class D>
auto batches(D&& d, batch_options const& o, random::key const& k) {
  index_t const n = data::count_of(d);
  return data::batches(static_cast<D&&>(d), batched(shuffled(n, k), o));
}

}  // namespace ricci::data
