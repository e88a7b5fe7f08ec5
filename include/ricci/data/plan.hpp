// Plans: which examples are in which batch of an epoch.
#pragma once

#include <vector>

#include <ricci/data/records.hpp>

namespace ricci::data {

// What happens to the last examples where they do not fill a batch. Small batches upset what is normalised over
// them, so the default, `fair`, has none below half of a batch unless that is all there is.
enum class rest {
  fair,   // a batch of its own where they are half of one or more, else `merge`
  keep,   // a batch of its own, however small
  drop,   // left out of this epoch
  merge,  // part of the batch before
};
struct batch_options {
  index_t size = 0;
  data::rest rest = data::rest::fair;
};

class plan {
 public:
  plan() : starts_{0} {}
  // Batches of consecutive examples of an order: batch k from starts[k] to starts[k + 1].
  plan(order all, std::vector<index_t> starts)
      : order_(static_cast<order&&>(all)), starts_(static_cast<std::vector<index_t>&&>(starts)) {}

  // how many batches there are
  index_t size() const { return index_t(starts_.size()) - 1; }
  // the numbers of the examples in batch k
  template <class = void>
  order operator[](index_t k) const {
    if (k < 0 || k >= size()) core::raise<index_error>(core::text() << "data: batch " << k << " of " << size());
    return records::slice_of(order_, starts_[std::size_t(k)], starts_[std::size_t(k) + 1]);
  }

 private:
  order order_;
  std::vector<index_t> starts_;
};

namespace plans {

inline void check_size(index_t size) {
  if (size < 1)
    core::raise<value_error>(core::text() << "data: batches of " << size << " examples, where 1 or more was expected");
}
// Appends the ends of the batches of the examples from `begin` to `end`.
inline void append_ends(std::vector<index_t>& starts, index_t begin, index_t end, batch_options const& o) {
  index_t const n = end - begin, whole = n / o.size, left = n % o.size;
  bool const merged =
      left > 0 && whole > 0 && (o.rest == rest::merge || (o.rest == rest::fair && left < o.size - o.size / 2));
  for (index_t k = 1; k <= whole; ++k) starts.push_back(merged && k == whole ? end : begin + k * o.size);
  if (left > 0 && !merged && o.rest != rest::drop) starts.push_back(end);
}

}  // namespace plans

// Batches of `size` examples in an order. `drop` of what is less than one batch is a value_error: it would leave none.
inline plan batched(order all, batch_options const& o) {
  plans::check_size(o.size);
  index_t const n = all.shape(0);
  if (o.rest == rest::drop && n > 0 && n < o.size)
    core::raise<value_error>(core::text() << "data: " << n << " examples make no batch of " << o.size
                                          << ", and rest::drop leaves none of them");
  std::vector<index_t> starts{0};
  plans::append_ends(starts, 0, n, o);
  return plan(static_cast<order&&>(all), static_cast<std::vector<index_t>&&>(starts));
}

}  // namespace ricci::data
