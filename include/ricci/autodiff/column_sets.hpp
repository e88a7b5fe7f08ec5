// Sets of columns of a matrix: which elements of an argument the elements of a value depend on, while the pattern of a
// jacobian is found (autodiff/sparsity.hpp). Each set is kept once and has a number, and a value is a list of such
// numbers; so moving elements moves numbers, and elements that depend on the same share a set.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/core/errors.hpp>
#include <ricci/core/owned_array.hpp>

namespace ricci::sparsity {
inline namespace RICCI_ABI {

// A list that grows.
template <class T>
class list {
 public:
  index_t size() const { return size_; }
  T const* data() const { return size_ > 0 ? &elements_[0] : nullptr; }
  T& operator[](index_t k) { return elements_[k]; }
  T const& operator[](index_t k) const { return elements_[k]; }
  void push(T const& x) {
    if (size_ == capacity_) {
      capacity_ = capacity_ < 32 ? 64 : 2 * capacity_;
      core::owned_array<T> larger(capacity_);
      for (index_t k = 0; k < size_; ++k) larger[k] = elements_[k];
      elements_ = static_cast<core::owned_array<T>&&>(larger);
    }
    elements_[size_++] = x;
  }
  void shrink(index_t n) { size_ = n; }

 private:
  core::owned_array<T> elements_;
  index_t size_ = 0, capacity_ = 0;
};

inline constexpr int no_columns = 0;  // the empty set

// Set 0 is empty, set 1 + c is column c alone; their members are in no order.
class column_sets {
 public:
  explicit column_sets(index_t columns) : seen_(columns), columns_(columns) {
    if (columns >= most) core::raise<value_error>(core::text() << "sparse_jacobian: too many elements in an argument");
    starts_.push(0);
    starts_.push(0);
    for (index_t c = 0; c < columns; ++c) {
      members_.push(static_cast<int>(c));
      starts_.push(c + 1);
    }
  }
  static int single(index_t column) { return static_cast<int>(1 + column); }
  index_t count(int set) const { return starts_[set + 1] - starts_[set]; }
  int const* members(int set) const { return members_.data() + starts_[set]; }

  int united(int a, int b) {
    if (a == b || b == no_columns) return a;
    if (a == no_columns) return b;
    // neighbours often ask for the same as the ones before them, as rows that are broadcast do
    auto& known = recent_[(static_cast<unsigned>(a) * 31u + static_cast<unsigned>(b)) % recent];
    if (known.a == a && known.b == b) return known.both;
    begin();
    add(a), add(b);
    int const both = end();
    known = {a, b, both};
    return both;
  }

  // the union of any number of sets: begin, add each of them, end
  void begin() {
    ++round_;
    first_ = members_.size();
    largest_ = no_columns;
  }
  void add(int set) {
    if (set == no_columns || set == last_ || members_.size() - first_ == columns_) return;
    last_ = set;
    if (count(set) > count(largest_)) largest_ = set;
    for (index_t k = starts_[set]; k < starts_[set + 1]; ++k) {
      int const c = members_[k];
      if (seen_[c] == round_) continue;
      seen_[c] = round_;
      members_.push(c);
    }
  }
  int end() {
    last_ = no_columns;
    if (members_.size() - first_ == count(largest_)) {  // one of them holds all others
      members_.shrink(first_);
      return largest_;
    }
    if (starts_.size() >= most) core::raise<value_error>(core::text() << "sparse_jacobian: too many different sets");
    starts_.push(members_.size());
    return static_cast<int>(starts_.size() - 2);
  }

 private:
  static constexpr index_t most = index_t(1) << 31;
  static constexpr unsigned recent = 4096;
  struct pair {
    int a, b, both;
  };
  list<index_t> starts_;
  list<int> members_;
  core::owned_array<index_t> seen_;  // the round in which a column was seen last
  core::owned_array<pair> recent_{recent};
  index_t columns_, round_ = 0, first_ = 0;
  int largest_ = no_columns, last_ = no_columns;
};

// The sets of all elements of a value, in row-major order; or nothing, where all are empty. Copies share the list.
class element_sets {
 public:
  element_sets() = default;
  explicit element_sets(index_t n) : buffer_(core::bytes_of(n, sizeof(int))), some_(true) {
    for (index_t k = 0; k < n; ++k) data()[k] = no_columns;
  }
  explicit operator bool() const { return some_; }
  int* data() { return reinterpret_cast<int*>(buffer_.data()); }
  int operator[](index_t k) const { return some_ ? reinterpret_cast<int const*>(buffer_.data())[k] : no_columns; }

 private:
  core::shared_buffer buffer_;
  bool some_ = false;
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
