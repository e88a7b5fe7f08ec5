// A number of an aggregate that has no default: `required<float, struct missing_norm> norm;`. It is made of a T and is
// one wherever a T is read; an aggregate made without it does not compile, and the message names the second argument.
// In trees (autodiff/members.hpp) it is the number itself.
#pragma once

#include <ricci/core/abi.hpp>

namespace ricci {

template <class T, class Missing>
struct required {
  T value;
  constexpr required(T x) : value(x) {}
  constexpr operator T const&() const { return value; }
};

namespace tree {
inline namespace RICCI_ABI {

template <class T>
constexpr T& plain_number(T& x) {
  return x;
}
template <class T, class Missing>
constexpr T& plain_number(required<T, Missing>& x) {
  return x.value;
}
template <class T, class Missing>
constexpr T const& plain_number(required<T, Missing> const& x) {
  return x.value;
}

}  // namespace RICCI_ABI
}  // namespace tree
}  // namespace ricci
