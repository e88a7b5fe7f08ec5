// The few functions that kernels need on plain numbers and that <cmath> lacks or keeps from constant expressions; SIMD
// batches bring their own by ADL.
#pragma once

#include <bit>
#include <limits>

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>

namespace ricci::scalar {
inline namespace RICCI_ABI {

template <class T>
RICCI_INLINE RICCI_HD constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}
#if RICCI_VECTOR_LANES
// of each lane (exec/cpu/vector_lanes.hpp)
template <class Mask, class V>
requires(!std::is_arithmetic_v<Mask>) RICCI_INLINE V select(Mask const& condition, V const& a, V const& b) {
  return condition ? a : b;
}
#endif

// Integers without a sign, where overflow is defined: those of T's size, or, where that is less than an int, unsigned,
// since operands would become int.
template <class T>
using wrapping =
    typename std::conditional_t<(sizeof(T) < sizeof(int)), std::type_identity<unsigned>, std::make_unsigned<T>>::type;
template <class T>
RICCI_INLINE RICCI_HD constexpr bool is_negative(T const& a) {
  if constexpr (std::is_unsigned_v<T>)
    return false;
  else
    return a < T(0);
}

// Arithmetic of kernels. Integers wrap, as in NumPy, in the same instructions as without. Of conditions a sum is "or"
// and a product "and".
template <class T>
RICCI_INLINE RICCI_HD constexpr T add(T const& a, T const& b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(wrapping<T>(a) + wrapping<T>(b));
  else if constexpr (is_complex_number<T>)  // by parts, in constant expressions of clang, too
    return T(a.real() + b.real(), a.imag() + b.imag());
  else
    return a + b;
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T subtract(T const& a, T const& b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(wrapping<T>(a) - wrapping<T>(b));
  else if constexpr (is_complex_number<T>)
    return T(a.real() - b.real(), a.imag() - b.imag());
  else
    return a - b;
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T multiply(T const& a, T const& b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(wrapping<T>(a) * wrapping<T>(b));
  else if constexpr (is_complex_number<T>)  // as in NumPy, and not as in C's annex G, which asks for infinities
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  else
    return a * b;
}
// Of complex numbers by Smith's method (R. L. Smith, 1962): squares of the divisor do not overflow.
template <class T>
RICCI_INLINE RICCI_HD constexpr T divide(T const& a, T const& b) {
  if constexpr (is_complex_number<T>) {
    using C = component_t<T>;
    C const re = b.real(), im = b.imag();
    bool const steep = (im < 0 ? -im : im) > (re < 0 ? -re : re);
    C const ratio = steep     ? re / im
                    : re != 0 ? im / re
                              : C(0) * im,
            scale = C(1) / (steep ? im + re * ratio : re + im * ratio);
    C const x = steep ? a.real() * ratio + a.imag() : a.real() + a.imag() * ratio;
    C const y = steep ? a.imag() * ratio - a.real() : a.imag() - a.real() * ratio;
    return T(x * scale, y * scale);
  } else {
    return a / b;
  }
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T negative(T const& a) {
  if constexpr (std::is_integral_v<T>)
    return subtract(T(0), a);
  else
    return -a;
}

// what every other number is above, and below
template <class T>
RICCI_HD constexpr T lowest() {
  if constexpr (is_floating(dtype_of<T>))
    return -T(__builtin_inf());
  else if constexpr (std::is_unsigned_v<T>)
    return T(0);
  else
    return static_cast<T>(std::uint64_t(1) << (8 * sizeof(T) - 1));
}
template <class T>
RICCI_HD constexpr T highest() {
  if constexpr (is_floating(dtype_of<T>))
    return T(__builtin_inf());
  else if constexpr (std::is_same_v<T, bool>)
    return true;
  else
    return static_cast<T>(~lowest<T>());
}

// A number in another type. Floats become integers by truncation; what lies beyond an integer type becomes its end, and
// NaN 0, as in XLA and Rust. (All of it is selections, so that loops over it are vectorised.)
template <class To, class T>
RICCI_INLINE RICCI_HD constexpr To convert(T x) {
  if constexpr (!std::is_same_v<T, To> && !std::is_same_v<T, computed_t<T>>) {
    return convert<To>(static_cast<computed_t<T>>(x));
  } else if constexpr (std::is_same_v<T, To>) {
    return x;
  } else if constexpr (is_complex_number<T>) {
    if constexpr (std::is_same_v<To, bool>)
      return x != T(0);
    else if constexpr (is_complex_number<To>)
      return To(static_cast<component_t<To>>(x.real()), static_cast<component_t<To>>(x.imag()));
    else
      return convert<To>(x.real());
  } else if constexpr (is_complex_number<To>) {
    return To(static_cast<component_t<To>>(x));
  } else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    // the end that highest() is just below: a power of two, which floats hold exactly
    constexpr T low = static_cast<T>(lowest<To>()), end = 2 * static_cast<T>(highest<To>() / 2 + 1);
    T const known = x == x ? x : T(0), above = known < low ? low : known;
    return above < end ? static_cast<To>(above < end ? above : T(0)) : highest<To>();
  } else {
    return static_cast<To>(x);
  }
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T abs(T x) {
  if constexpr (dtype_of<T> == dtype::float32)
    return __builtin_fabsf(x);
  else if constexpr (dtype_of<T> == dtype::float64)
    return __builtin_fabs(x);
  else if constexpr (std::is_floating_point_v<T>)
    return __builtin_fabsl(x);
  else
    return is_negative(x) ? negative(x) : x;
}
// One instruction where the compiler can be told so: std::sqrt of a negative number is also to set errno, so that it
// may become a call, before which a loop stores all that it holds in registers.
template <class T>
RICCI_INLINE RICCI_HD constexpr T square_root(T x) {
#if defined(__clang__) && __has_builtin(__builtin_elementwise_sqrt) && !defined(__CUDACC__)
  if (!__builtin_is_constant_evaluated()) return __builtin_elementwise_sqrt(x);
#elif defined(__GNUC__) && defined(__SSE2__) && !defined(__NO_MATH_ERRNO__) && !defined(__CUDACC__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (sizeof(T) == 4) {
      using lanes = float __attribute__((vector_size(16)));
      return __builtin_ia32_sqrtss(lanes{x, 0, 0, 0})[0];
    } else if constexpr (sizeof(T) == 8) {
      using lanes = double __attribute__((vector_size(16)));
      return __builtin_ia32_sqrtsd(lanes{x, 0})[0];
    }
  }
#endif
  if constexpr (sizeof(T) == 4)
    return __builtin_sqrtf(x);
  else if constexpr (sizeof(T) == 8)
    return __builtin_sqrt(x);
  else
    return __builtin_sqrtl(x);
}
// NaN where one of the three is; of vectors, too (exec/cpu/vector_lanes.hpp), hence no function that returns one
template <class T>
RICCI_INLINE RICCI_HD constexpr T clip(T x, T low, T high) {
  T const raised = (low > x) || (low != low) ? low : x;
  return (high < raised) || (high != high) ? high : raised;
}
// In constant expressions, where clang 19 folds none of the builtins for these, and g++ 12 not all.
namespace constant {
template <class T>
RICCI_HD constexpr T floor(T x) {
  constexpr T all_whole = T(1) / std::numeric_limits<T>::epsilon();  // from here on
  if (x == 0 || !(x < all_whole && x > -all_whole)) return x;
  T const whole = static_cast<T>(static_cast<long long>(x));
  return whole > x ? whole - T(1) : whole;
}
template <class T>
RICCI_HD constexpr T ceil(T x) {
  return -floor(-x);
}
template <class T>
RICCI_HD constexpr T round(T x) {
  T const below = floor(x), rest = x - below;
  if (rest == 0 || rest != rest) return x;
  bool const odd = floor(below / 2) * 2 != below;
  T const y = rest > T(0.5) || (rest == T(0.5) && odd) ? below + T(1) : below;
  return y == 0 && x < 0 ? -y : y;
}
// by long division
template <class T>
RICCI_HD constexpr T truncated_remainder(T a, T b) {
  T const infinity = std::numeric_limits<T>::infinity();
  T rest = a < 0 ? -a : a;
  T const by = b < 0 ? -b : b;
  if (!(rest < infinity) || by == 0 || by != by) return std::numeric_limits<T>::quiet_NaN();
  while (rest >= by) {
    T part = by;
    while (part <= rest / 2) part *= 2;
    rest -= part;
  }
  return a == 0 ? a : a < 0 ? -rest : rest;
}
}  // namespace constant

template <class T>
RICCI_INLINE RICCI_HD constexpr T floor(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else if (__builtin_is_constant_evaluated())
    return constant::floor(x);
  else if constexpr (sizeof(T) == 4)
    return __builtin_floorf(x);
  else if constexpr (sizeof(T) == 8)
    return __builtin_floor(x);
  else
    return __builtin_floorl(x);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T ceil(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else if (__builtin_is_constant_evaluated())
    return constant::ceil(x);
  else if constexpr (sizeof(T) == 4)
    return __builtin_ceilf(x);
  else if constexpr (sizeof(T) == 8)
    return __builtin_ceil(x);
  else
    return __builtin_ceill(x);
}
// to the nearest integer, halves to the even one
template <class T>
RICCI_INLINE RICCI_HD constexpr T round(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else if (__builtin_is_constant_evaluated())
    return constant::round(x);
  else if constexpr (sizeof(T) == 4)
    return __builtin_nearbyintf(x);
  else if constexpr (sizeof(T) == 8)
    return __builtin_nearbyint(x);
  else
    return __builtin_nearbyintl(x);
}
// what a division truncated to an integer leaves: exact, with the sign of a
template <class T>
RICCI_INLINE RICCI_HD constexpr T truncated_remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(a % b);
  else if (__builtin_is_constant_evaluated())
    return constant::truncated_remainder(a, b);
  else if constexpr (sizeof(T) == 4)
    return __builtin_fmodf(a, b);
  else if constexpr (sizeof(T) == 8)
    return __builtin_fmod(a, b);
  else
    return __builtin_fmodl(a, b);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T copysign(T size, T sign) {
  if constexpr (sizeof(T) == 4)
    return __builtin_copysignf(size, sign);
  else if constexpr (sizeof(T) == 8)
    return __builtin_copysign(size, sign);
  else
    return __builtin_copysignl(size, sign);
}
// towards zero
template <class T>
RICCI_INLINE RICCI_HD constexpr T trunc(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return copysign(floor(abs(x)), x);
}
// What the bits of a number tell, so that it also holds where a compiler is told that no number is NaN or infinite.
template <class T>
inline constexpr auto bits_of_infinity = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>(
    sizeof(T) == 4 ? std::int64_t(255) << 23 : std::int64_t(2047) << 52);
template <class T>
RICCI_INLINE RICCI_HD constexpr auto magnitude_bits(T x) {
  using bits = std::remove_const_t<decltype(bits_of_infinity<T>)>;
  return static_cast<bits>(std::bit_cast<bits>(x) & std::numeric_limits<bits>::max());
}
// whether the bits of a number are those of a larger, the same or a smaller one than infinity's
template <int Order, class T>
RICCI_INLINE RICCI_HD constexpr bool beside_infinity(T x) {
  if constexpr (is_complex_number<T>) {
    bool const a = beside_infinity<Order>(x.real()), b = beside_infinity<Order>(x.imag());
    return Order < 0 ? a && b : a || b;
  } else if constexpr (std::is_integral_v<T>) {
    return Order < 0;
  } else if constexpr (sizeof(T) > 8) {
    T const size = x < 0 ? -x : x, infinity = std::numeric_limits<T>::infinity();
    return Order > 0 ? size != size : Order == 0 ? size == infinity : size < infinity;
  } else {
    auto const bits = magnitude_bits(x);
    return Order > 0    ? bits > bits_of_infinity<T>
           : Order == 0 ? bits == bits_of_infinity<T>
                        : bits < bits_of_infinity<T>;
  }
}
template <class T>
RICCI_INLINE RICCI_HD constexpr bool isnan(T x) {
  return beside_infinity<1>(x);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr bool isinf(T x) {
  return beside_infinity<0>(x);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr bool isfinite(T x) {
  return beside_infinity<-1>(x);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr bool signbit(T x) {
  if constexpr (std::is_integral_v<T>)
    return is_negative(x);
  else if constexpr (sizeof(T) > 8)
    return __builtin_signbit(x);
  else
    return std::bit_cast<std::remove_const_t<decltype(bits_of_infinity<T>)>>(x) < 0;
}

}  // namespace RICCI_ABI
}  // namespace ricci::scalar
