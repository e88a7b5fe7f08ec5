// What was seen last, as a data set that grows until it is full and then forgets what is oldest: the memory of agents
// that learn from what they did (L.-J. Lin, 1992).
//
//   struct experience { rc::tensor<float, rc::dyn, 4> before, after; rc::ndarray<int, 1> action; };
//   data::replay<experience> memory(10000);
//   memory.push(experience{...});                       // one example or more
//   auto const batch = memory.drawn(64, key.fold(n));   // an experience of 64 of them
#pragma once

#include <ricci/data/orders.hpp>
#include <ricci/random/continuous.hpp>

namespace ricci::data {

// Batch is a tensor or a record of tensors of the host whose first axis is the examples, of any number.
template <class Batch>
class replay {
 public:
  explicit replay(index_t capacity) : capacity_(capacity) {
    if (capacity < 1)
      core::raise<value_error>(core::text() << "data::replay: a capacity of " << capacity
                                            << " examples, where 1 or more was expected");
  }
  index_t size() const { return size_; }
  index_t capacity() const { return capacity_; }

  // The examples of a batch, the first one first. Other shapes than before are a shape_error.
  void push(Batch const& more) {
    index_t const n = data::count_of(more);
    if (n == 0) return;
    if (size_ == 0) all_ = rows_of(more, order(capacity_));  // for their shapes
    check(more);
    for (index_t k = n > capacity_ ? n - capacity_ : 0; k < n; ++k) {
      write_row(all_, more, k);
      next_ = next_ + 1 < capacity_ ? next_ + 1 : 0;
      size_ += size_ < capacity_;
    }
  }
  // The examples of these numbers: 0 is the oldest one that is known. A number outside is an index_error.
  batch_t<Batch> rows(order const& which) const {
    order at = which;
    for (index_t k = 0; k < at.size(); ++k) {
      if (which(k) < 0 || which(k) >= size_)
        core::raise<index_error>(core::text() << "data: example " << index_t(which(k)) << " of a source of " << size_);
      at(k) = (which(k) + (size_ < capacity_ ? 0 : next_)) % capacity_;
    }
    return rows_of(all_, at);
  }
  // So many examples, each drawn evenly of all, again and again. Of none is a value_error.
  batch_t<Batch> drawn(index_t count, random::key const& k) const {
    if (size_ == 0) core::raise<value_error>(core::text() << "data::replay: nothing was pushed, and nothing is drawn");
    order which(count);
    for (index_t n = 0; n < count; ++n)
      which.data()[n] = std::int64_t(random::philox_child(k.item(), std::uint64_t(n)) % std::uint64_t(size_));
    return rows(which);
  }

 private:
  void check(Batch const& more) const {
    tree::for_each_leaf(
        [](auto const& a, auto const& b) {
          for (int d = 1; d < rank_of<std::remove_cvref_t<decltype(a)>>; ++d)
            if (a.shape(d) != b.shape(d))
              core::raise<shape_error>(core::text() << "data::replay: examples of another shape than before");
        },
        all_, more);
  }
  void write_row(batch_t<Batch>& to, Batch const& from, index_t k) const {
    tree::for_each_leaf(
        [&](auto& a, auto const& b) {
          using T = value_type_of<std::remove_cvref_t<decltype(a)>>;
          index_t inner = 1;
          for (int d = 1; d < rank_of<std::remove_cvref_t<decltype(a)>>; ++d) inner *= a.shape(d);
          __builtin_memcpy(a.data() + next_ * inner, b.data() + k * inner, std::size_t(inner) * sizeof(T));
        },
        to, from);
  }

  index_t capacity_, size_ = 0, next_ = 0;
  batch_t<Batch> all_{};
};

}  // namespace ricci::data
