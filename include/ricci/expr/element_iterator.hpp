// Elements of a view one after the other, in row-major order, as begin() and end() of a tensor give them: a
// random-access iterator, by which std::ranges::sort sorts a row where it lies. It does not keep the memory alive.
#pragma once

#include <compare>
#include <iterator>

#include <ricci/core/types.hpp>

namespace ricci::expr {

template <class V, int Rank>
class element_iterator {
 public:
  using value_type = std::remove_const_t<V>;
  using reference = V&;
  using pointer = V*;
  using difference_type = index_t;
  using iterator_category = std::random_access_iterator_tag;

  constexpr element_iterator() = default;
  constexpr element_iterator(V* first, auto const& extents, auto const& strides, index_t n) : first_(first) {
    for (int d = 0; d < Rank; ++d) extents_[d] = extents[d], strides_[d] = strides[d];
    *this += n;
  }

  constexpr reference operator*() const { return first_[offset_]; }
  constexpr pointer operator->() const { return first_ + offset_; }
  constexpr reference operator[](index_t n) const { return *(*this + n); }

  constexpr element_iterator& operator++() {
    ++number_;
    for (int d = Rank - 1; d >= 0; --d) {
      offset_ += strides_[d];
      if (++place_[d] < extents_[d] || d == 0) break;
      offset_ -= extents_[d] * strides_[d];
      place_[d] = 0;
    }
    return *this;
  }
  constexpr element_iterator& operator+=(index_t n) {
    index_t rest = number_ += n;
    offset_ = 0;
    for (int d = Rank - 1; d >= 0; --d) {
      index_t const inner = d > 0 && extents_[d] > 0 ? rest / extents_[d] : 0;
      place_[d] = rest - inner * extents_[d];
      offset_ += place_[d] * strides_[d];
      rest = inner;
    }
    return *this;
  }
  constexpr element_iterator operator++(int) {
    element_iterator const before = *this;
    ++*this;
    return before;
  }
  constexpr element_iterator& operator--() { return *this += -1; }
  constexpr element_iterator operator--(int) {
    element_iterator const before = *this;
    --*this;
    return before;
  }
  constexpr element_iterator& operator-=(index_t n) { return *this += -n; }
  friend constexpr element_iterator operator+(element_iterator i, index_t n) { return i += n; }
  friend constexpr element_iterator operator+(index_t n, element_iterator i) { return i += n; }
  friend constexpr element_iterator operator-(element_iterator i, index_t n) { return i -= n; }
  friend constexpr index_t operator-(element_iterator const& a, element_iterator const& b) {
    return a.number_ - b.number_;
  }
  friend constexpr bool operator==(element_iterator const& a, element_iterator const& b) {
    return a.number_ == b.number_;
  }
  friend constexpr std::strong_ordering operator<=>(element_iterator const& a, element_iterator const& b) {
    return a.number_ <=> b.number_;
  }

 private:
  V* first_ = nullptr;
  index_t number_ = 0, offset_ = 0;  // of the element, and where it lies
  index_t extents_[Rank > 0 ? Rank : 1]{}, strides_[Rank > 0 ? Rank : 1]{}, place_[Rank > 0 ? Rank : 1]{};
};

}  // namespace ricci::expr
