// The few functions that kernels need on plain numbers and that <cmath> lacks or keeps from constant expressions; SIMD
// batches bring their own by ADL.
#pragma once

#include <ricci/core/config.hpp>
#include <ricci/core/types.hpp>

namespace ricci::scalar {

template <class T>
RICCI_INLINE RICCI_HD constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}
template <class To, class T>
RICCI_INLINE RICCI_HD constexpr To convert(T x) {
  return static_cast<To>(x);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T abs(T x) {
  if constexpr (dtype_of<T> == dtype::float32) return __builtin_fabsf(x);
  else if constexpr (dtype_of<T> == dtype::float64) return __builtin_fabs(x);
  else return x < 0 ? T(-x) : x;
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T floor_divide(T a, T b) {
  if constexpr (dtype_of<T> == dtype::float32) return __builtin_floorf(a / b);
  else if constexpr (dtype_of<T> == dtype::float64) return __builtin_floor(a / b);
  else return T(a / b - ((a % b != 0) && ((a < 0) != (b < 0))));
}

// what every other number is above, and below
template <class T>
constexpr T lowest() {
  if constexpr (is_floating(dtype_of<T>)) return -T(__builtin_inf());
  else if constexpr (sizeof(T) == 1) return T(0);
  else if constexpr (sizeof(T) == 4) return T(-2147483647 - 1);
  else return T(-9223372036854775807 - 1);
}
template <class T>
constexpr T highest() {
  if constexpr (is_floating(dtype_of<T>)) return T(__builtin_inf());
  else if constexpr (sizeof(T) == 1) return T(1);
  else if constexpr (sizeof(T) == 4) return T(2147483647);
  else return T(9223372036854775807);
}

}  // namespace ricci::scalar
