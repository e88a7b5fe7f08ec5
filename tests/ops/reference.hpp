// Arrays without types or kernels, to compare with: a shape, the elements in row-major order, and loops over indices.
#pragma once

#include <cmath>
#include <functional>
#include <initializer_list>
#include <vector>

#include <ricci/ricci.hpp>

namespace reference {

using shape = std::vector<int>;
using index = std::vector<int>;

struct array {
  reference::shape extents;
  std::vector<double> elements;

  // f(index) at every index
  array(reference::shape s, std::function<double(index const&)> const& f) : extents(std::move(s)) {
    index at(extents.size(), 0);
    int n = 1;
    for (int e : extents) n *= e;
    for (int k = 0; k < n; ++k) {
      elements.push_back(f(at));
      for (std::size_t d = extents.size(); d-- > 0;) {
        if (++at[d] < extents[d]) break;
        at[d] = 0;
      }
    }
  }
  // what a tensor or view holds, read by its strides
  template <class X>
  requires requires(X const& x) { x.stride_values(); }
  explicit array(X const& x)
      : array(shape_of(x), [&](index const& at) {
          ricci::index_t offset = 0;
          for (std::size_t d = 0; d < at.size(); ++d) offset += at[d] * x.stride_values().values[d];
          return static_cast<double>(x.data()[offset]);
        }) {}
  template <class X>
  static reference::shape shape_of(X const& x) {
    reference::shape s;
    for (int d = 0; d < X::rank; ++d) s.push_back(static_cast<int>(x.shape(d)));
    return s;
  }

  double operator()(index const& at) const {
    int k = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) k = k * extents[d] + at[d];
    return elements[static_cast<std::size_t>(k)];
  }
  int order() const { return static_cast<int>(extents.size()); }

  // the same shape, and elements that differ by no more than a part of the larger of 1 and themselves
  bool near(array const& b, double tolerance) const {
    if (extents != b.extents || elements.size() != b.elements.size()) return false;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      double const x = elements[k], y = b.elements[k];
      bool const same = x == y || (x != x && y != y);
      if (!same && !(std::abs(x - y) <= tolerance * (std::abs(y) > 1 ? std::abs(y) : 1))) return false;
    }
    return true;
  }
};

// over the axes for which `over` holds; they stay with extent 1 where they are kept
inline array reduced(array const& x, std::vector<bool> const& over, bool keep, double start,
                     std::function<double(double, double)> const& f) {
  shape kept, rest;
  for (int d = 0; d < x.order(); ++d) {
    auto const u = static_cast<std::size_t>(d);
    if (!over[u] || keep) kept.push_back(over[u] ? 1 : x.extents[u]);
    rest.push_back(over[u] ? x.extents[u] : 1);
  }
  return array(kept, [&](index const& at) {
    double y = start;
    array(rest, [&](index const& inner) {
      index full;
      std::size_t k = 0;
      for (std::size_t d = 0; d < over.size(); ++d) {
        if (!over[d])
          full.push_back(at[k++]);
        else
          full.push_back(inner[d]), k += keep;
      }
      return y = f(y, x(full));
    });
    return y;
  });
}

// NumPy's broadcasting of two shapes, and the element of x at an index of the result
inline shape broadcast(shape const& a, shape const& b) {
  shape const &longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  shape s = longer;
  std::size_t const off = longer.size() - shorter.size();
  for (std::size_t d = 0; d < shorter.size(); ++d)
    if (s[off + d] == 1) s[off + d] = shorter[d];
  return s;
}
inline double broadcast_at(array const& x, index const& at) {
  index own;
  std::size_t const off = at.size() - x.extents.size();
  for (std::size_t d = 0; d < x.extents.size(); ++d) own.push_back(x.extents[d] == 1 ? 0 : at[off + d]);
  return x(own);
}
inline array combined(array const& a, array const& b, std::function<double(double, double)> const& f) {
  return array(broadcast(a.extents, b.extents),
               [&](index const& at) { return f(broadcast_at(a, at), broadcast_at(b, at)); });
}

// numbers that are all different, of both signs
template <class X>
void fill(X& x, double step = 0.37) {
  double v = -1.1;
  for (ricci::index_t k = 0; k < x.size(); ++k) {
    v += step;
    if (v > 2) v -= 3.7;
    x.data()[k] = static_cast<typename X::value_type>(v);
  }
}

}  // namespace reference
