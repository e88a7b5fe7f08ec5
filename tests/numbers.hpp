// The elements of a tensor or view in memory, in row-major order, to be compared and printed: CHECK(numbers(v) ==
// numbers{1, 2}). A complex one is two numbers. They are read by the strides, so that no kernel of the library stands
// between a check and the memory.
#pragma once

#include <ricci/ricci.hpp>

#include <initializer_list>
#include <ostream>
#include <vector>

struct numbers {
  std::vector<double> values;

  numbers(std::initializer_list<double> v) : values(v) {}
  template <class X>
  requires requires(X const& x) { x.stride_values(); }
  explicit numbers(X const& x) {
    auto const strides = x.stride_values();
    ricci::index_t at[X::rank > 0 ? X::rank : 1] = {}, offset = 0;
    for (ricci::index_t n = x.size(); n > 0; --n) {
      push(x.data()[offset]);
      for (int k = X::rank - 1; k >= 0; --k) {
        offset += strides.values[k];
        if (++at[k] < x.extent_values()[k]) break;
        offset -= at[k] * strides.values[k];
        at[k] = 0;
      }
    }
  }

  template <class T>
  void push(T const& x) {
    if constexpr (ricci::is_complex_number<T>)
      push(x.real()), push(x.imag());
    else
      values.push_back(static_cast<double>(x));
  }

  bool operator==(numbers const& other) const { return values == other.values; }
  // within a part of the larger of 1 and the number itself
  bool near(numbers const& other, double tolerance = 1e-9) const {
    if (values.size() != other.values.size()) return false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      double const d = values[k] - other.values[k], size = other.values[k] < 0 ? -other.values[k] : other.values[k];
      if (!((d < 0 ? -d : d) <= tolerance * (size > 1 ? size : 1))) return false;
    }
    return true;
  }
  friend std::ostream& operator<<(std::ostream& s, numbers const& n) {
    for (std::size_t k = 0; k < n.values.size(); ++k) s << (k ? " " : "") << n.values[k];
    return s;
  }
};

// the shape as numbers, in the same way
template <class X>
numbers shape_of(X const& x) {
  numbers s{};
  for (int k = 0; k < X::rank; ++k) s.values.push_back(static_cast<double>(x.shape(k)));
  return s;
}
