// Iteration over an axis: `for (auto row : rc::rows(x)) row *= 2.;`, `rc::rows(x, rc::axis<1>)` for columns. (A tensor
// itself is iterated over element by element, in row-major order.)
#pragma once

#include <new>
#include <utility>

#include <ricci/expr/index.hpp>
#include <ricci/tensor/deferred.hpp>

namespace ricci {

// What x(k) is for each k of an axis: views, which may be written where x may; of order 1 the elements. A random-access
// range with a size; iterators belong to the range, which holds the view of x, or x where that is a temporary.
template <class X, int Axis>
class row_range {
 public:
  class iterator {
   public:
    using difference_type = index_t;
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // dereferenced, it gives a value where rows are views

    constexpr iterator() = default;
    constexpr iterator(row_range const* of, index_t at) : of_(of), at_(at) {}
    constexpr decltype(auto) operator*() const { return (*of_)[at_]; }
    constexpr decltype(auto) operator[](index_t n) const { return (*of_)[at_ + n]; }
    constexpr iterator& operator+=(index_t n) { return at_ += n, *this; }
    constexpr iterator& operator-=(index_t n) { return at_ -= n, *this; }
    constexpr iterator& operator++() { return *this += 1; }
    constexpr iterator& operator--() { return *this -= 1; }
    constexpr iterator operator++(int) { return {of_, at_++}; }
    constexpr iterator operator--(int) { return {of_, at_--}; }
    friend constexpr iterator operator+(iterator i, index_t n) { return i += n; }
    friend constexpr iterator operator+(index_t n, iterator i) { return i += n; }
    friend constexpr iterator operator-(iterator i, index_t n) { return i -= n; }
    friend constexpr index_t operator-(iterator const& a, iterator const& b) { return a.at_ - b.at_; }
    friend constexpr bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }
    friend constexpr auto operator<=>(iterator const& a, iterator const& b) { return a.at_ <=> b.at_; }
    using value_type = std::remove_cvref_t<decltype((std::declval<row_range const&>())[0])>;

   private:
    row_range const* of_ = nullptr;
    index_t at_ = 0;
  };

  constexpr explicit row_range(X&& x) : x_(static_cast<X&&>(x)) {}
  constexpr row_range(row_range const&) = default;
  // another range, where views that are assigned to would be written
  constexpr row_range& operator=(row_range const& x) {
    if (this != &x) {
      x_.~X();
      ::new (static_cast<void*>(&x_)) X(x.x_);
    }
    return *this;
  }
  constexpr ~row_range() = default;

  constexpr decltype(auto) operator[](index_t k) const {
    return [&]<int... Before>(std::integer_sequence<int, Before...>)->decltype(auto) {
      if constexpr (X::rank == 1)
        return x_(k);
      else
        return x_(((void)Before, all)..., k, ellipsis);
    }
    (std::make_integer_sequence<int, Axis>{});
  }
  constexpr index_t size() const {
    if constexpr (X::extents::extent(Axis) >= 0)
      return X::extents::extent(Axis);
    else
      return x_.shape(Axis);
  }
  constexpr bool empty() const { return size() == 0; }
  constexpr iterator begin() const { return {this, 0}; }
  constexpr iterator end() const { return {this, size()}; }

 private:
  X x_;
};

// The parts of x along its first axis, or another one. In a traced function its extent is one that the type knows.
template <class X, index_t A = 0>
requires(Tensor<X>) constexpr auto rows(X&& x, axes_t<A> = {}) {
  constexpr int rank = rank_of<std::remove_cvref_t<X>>, axis = axis_from_start(A, rank);
  static_assert(axis >= 0 && axis < rank, "rows: an axis that the tensor does not have");
  auto whole = static_cast<X&&>(x)(ellipsis);
  return row_range<decltype(whole), axis>(static_cast<decltype(whole)&&>(whole));
}

}  // namespace ricci
