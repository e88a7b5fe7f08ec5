// Data sets: any aggregate of tensors with a common first axis. `nn::split` takes a random part of one away, and
// `nn::batches` goes through one in a random order.
#pragma once

#include <ricci/nn/layer.hpp>

namespace ricci::nn {

template <class D>
index_t count_of(D const& d) {
  index_t n = -1;
  tree::for_each_leaf(
      [&](auto const& leaf) {
        if (n >= 0 && leaf.shape(0) != n)
          core::raise<shape_error>(core::text() << "nn: a data set has tensors of " << n << " and of "
                                                << index_t(leaf.shape(0)) << " rows, and they need as many");
        n = leaf.shape(0);
      },
      d);
  return n;
}
template <class D>
D rows_of(D const& d, ndarray<std::int64_t, 1> const& rows) {
  D part{};
  tree::for_each_leaf([&](auto& to, auto const& from) { to = take(from, rows, axis<0>); }, part, d);
  return part;
}

template <class D>
struct parts {
  D training, held_out;
};
// `fraction` of the rows, rounded, are held out.
template <class D>
parts<D> split(D const& d, float fraction, key const& k) {
  if (!(fraction >= 0 && fraction <= 1))
    core::raise<value_error>(core::text() << "nn::split: the fraction is from 0 to 1");
  index_t const n = count_of(d);
  auto const held = static_cast<index_t>(double(fraction) * double(n) + .5);
  ndarray<std::int64_t, 1> const order = random::permutation(k, n);
  return {rows_of(d, order(range(held, n))), rows_of(d, order(range(0, held)))};
}

// `size` rows at a time. What is left at the end is a batch of its own where it is half a batch or more, else it joins
// the one before.
struct batch_options {
  index_t size;
};
template <class D>
class batches {
 public:
  batches(D const& d, batch_options o, key const& k) : data_(&d), size_(o.size), rows_(count_of(d)) {
    if (size_ < 1)
      core::raise<value_error>(core::text() << "nn::batches: the size is " << size_ << ", and is at least 1");
    order_ = random::permutation(k, rows_);
    count_ = (rows_ + size_ / 2) / size_;
    if (count_ == 0 && rows_ > 0) count_ = 1;
  }
  index_t size() const { return count_; }
  D operator[](index_t n) const {
    ndarray<std::int64_t, 1> const rows = order_(range(n * size_, n + 1 == count_ ? rows_ : (n + 1) * size_));
    return rows_of(*data_, rows);
  }
  struct iterator {
    batches const* all;
    index_t at;
    D operator*() const { return (*all)[at]; }
    iterator& operator++() { return ++at, *this; }
    bool operator!=(iterator const& o) const { return at != o.at; }
  };
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, count_}; }

 private:
  D const* data_;
  index_t size_, rows_, count_ = 0;
  ndarray<std::int64_t, 1> order_;
};

}  // namespace ricci::nn
