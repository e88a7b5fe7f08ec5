// What minimisers take for x0, trees of numbers of one floating type, their elements in a row, and what they give back.
#pragma once

#include <type_traits>

#include <ricci/autodiff/raveled.hpp>
#include <ricci/optimize/minimise.hpp>

namespace ricci::optimize {

// Where a minimiser ended: x, the value and the largest element of its gradient there by absolute value, how many
// steps were taken, how many evaluations, and why it went no further.
template <class X>
struct minimum {
  X x;
  double value, gradient_norm;
  int steps, evaluations;
  stop reason;
};

inline namespace RICCI_ABI {

template <class X>
inline constexpr bool is_tree_of_numbers = [] {
  using T = tracing::element_type_in_t<X>;
  if constexpr (std::is_void_v<T>)
    return false;
  else
    return std::is_same_v<T, float> || std::is_same_v<T, double>;
}();
template <class X>
struct argument_of_minimiser {
  static constexpr bool holds = is_tree_of_numbers<X>;
  static_assert(holds, "optimize: x0 is a tensor, number, record or tuple whose elements are all float or all double");
  static_assert(tree::memory_of<X> == expr::host_memory, "optimize: x0 lies in the memory of the host");
};

void for_each_element(auto& all, auto const& use) {
  tree::for_each_leaf(
      [&]<class Y>(Y& leaf) {
        if constexpr (Arithmetic<Y>)
          use(leaf);
        else
          for (index_t k = 0, n = leaf.size(); k < n; ++k) use(leaf.data()[k]);
      },
      all);
}
index_t count_elements(auto const& all) {
  index_t n = 0;
  optimize::for_each_element(all, [&](auto const&) { ++n; });
  return n;
}
template <class T>
void pack(auto const& all, T* to) {
  optimize::for_each_element(all, [&](T const& x) { *to++ = x; });
}
template <class T>
void unpack(auto& all, T const* from) {
  optimize::for_each_element(all, [&](T& x) { x = *from++; });
}

// a tree with tensors of its own
template <class X>
auto owned_copy(X const& x) {
  if constexpr (Tensor<X>) {
    return tree::owned_t<X>(x);
  } else {
    tree::owned_t<X> copy{};
    tree::for_each_leaf([](auto& to, auto const& from) { to = from; }, copy, x);
    return copy;
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::optimize
