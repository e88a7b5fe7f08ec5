// A sequence: so many values, each made when it is asked for. All stages between a data set and a step of training are
// of this one type, whatever they are made of; what they give depends on the number alone, so a sequence goes on where
// one likes.
//
//   auto epoch = data::batches(images, {.size = 32}, key)
//                    .map([](auto batch, rc::random::key const& k) { return augmented(batch, k); }, key);
//   for (auto const& batch : epoch.from(run.batch).prefetch(2)) step(run, batch);
#pragma once

#include <memory>

#include <ricci/data/prefetch.hpp>
#include <ricci/random/key.hpp>

namespace ricci::data {

// What a stage keeps of what a function returned: a tensor for a lazy expression, also in tuples.
template <class R>
struct kept {
  using type = R;
};
template <Tensor R>
struct kept<R> {
  using type = tree::owned_t<R, storage::memory_of<R>()>;
};
template <class... R>
struct kept<std::tuple<R...>> {
  using type = std::tuple<typename kept<R>::type...>;
};
template <class A, class B>
struct kept<std::pair<A, B>> {
  using type = std::pair<typename kept<A>::type, typename kept<B>::type>;
};
template <class R>
using kept_t = typename kept<std::remove_cvref_t<R>>::type;

template <class T>
class sequence {
 public:
  using value_type = T;

  // `n` values, of which number k is at(k). A sequence holds what `at` does.
  template <class F>
  sequence(index_t n, F at) : size_(n), at_(std::make_shared<made_by<F> const>(static_cast<F&&>(at))) {}

  index_t size() const { return size_; }
  T operator[](index_t k) const {
    if (k < 0 || k >= size_) core::raise<index_error>(core::text() << "data: number " << k << " of " << size_);
    return at_->make(first_ + k);
  }
  // from number k on
  sequence from(index_t k) const {
    if (k < 0 || k > size_) core::raise<index_error>(core::text() << "data: from number " << k << " of " << size_);
    sequence s = *this;
    s.first_ += k, s.size_ -= k;
    return s;
  }
  // f of each, a function of values or one that calls traced functions
  template <class F>
  auto map(F f) const {
    using R = kept_t<decltype(f(std::declval<T>()))>;
    return same_places(sequence<R>(size_, [at = at_, f](index_t k) -> R { return f(at->make(k)); }));
  }
  // f of each and of a key of its own: the given one, folded with the number that it has in the whole sequence, also
  // behind `from`
  template <class F>
  auto map(F f, random::key const& key) const {
    using R = kept_t<decltype(f(std::declval<T>(), key))>;
    return same_places(sequence<R>(size_, [at = at_, f, key](index_t k) -> R { return f(at->make(k), key.fold(k)); }));
  }
  // The same, gone through once from the first on, while a thread makes up to `most` of them in advance.
  data::ahead<T> prefetch(index_t most) const { return data::ahead<T>(*this, most); }

  struct iterator {
    sequence const* all;
    index_t at;
    T operator*() const { return (*all)[at]; }
    iterator& operator++() { return ++at, *this; }
    bool operator!=(iterator const& o) const { return at != o.at; }
  };
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, size_}; }

 private:
  struct maker {
    virtual ~maker() = default;
    virtual T make(index_t k) const = 0;
  };
  template <class F>
  struct made_by final : maker {
    F at;
    explicit made_by(F f) : at(static_cast<F&&>(f)) {}
    T make(index_t k) const override { return at(k); }
  };
  template <class>
  friend class sequence;
  // a stage numbers its values as this sequence does
  template <class R>
  sequence<R> same_places(sequence<R> s) const {
    s.first_ = first_;
    return s;
  }

  index_t size_, first_ = 0;
  std::shared_ptr<maker const> at_;
};

}  // namespace ricci::data
