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

// The larger (smaller) of two, NaN where either is; of equal ones the second.
template <class T>
RICCI_INLINE RICCI_HD constexpr T larger(T const& a, T const& b) {
  return select((a > b) || (a != a), a, b);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T smaller(T const& a, T const& b) {
  return select((a < b) || (a != a), a, b);
}

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
template <class T>
RICCI_INLINE RICCI_HD constexpr T hypot(T x, T y) {
  if constexpr (sizeof(T) == 4)
    return __builtin_hypotf(x, y);
  else
    return __builtin_hypot(x, y);
}
// NaN where one of the three is; of vectors, too (exec/cpu/vector_lanes.hpp)
template <class T>
RICCI_INLINE RICCI_HD constexpr T clip(T x, T low, T high) {
  T const raised = select((low > x) || (low != low), low, x);
  return select((high < raised) || (high != high), high, raised);
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
template <class T>
RICCI_INLINE RICCI_HD constexpr bool is_minus_one(T const& a) {
  return std::is_signed_v<T> && a == static_cast<T>(-1);
}
// C's %, of integers that are divided by 0 it is 0, as in NumPy
template <class T>
RICCI_HD constexpr T fmod(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    if (b == 0 || is_minus_one(b)) return T(0);
  return truncated_remainder(a, b);
}
// Bits of integers. What is shifted by its size or more is gone, but for its sign; so it is by a negative number, as in
// NumPy.
template <class T>
RICCI_INLINE RICCI_HD constexpr bool shifts_all(T by) {
  return is_negative(by) || by >= T(8 * sizeof(T));
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T left_shift(T a, T by) {
  return shifts_all(by) ? T(0) : static_cast<T>(static_cast<wrapping<T>>(a) << by);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T right_shift(T a, T by) {
  return !shifts_all(by) ? static_cast<T>(a >> by) : is_negative(a) ? static_cast<T>(-1) : T(0);
}
// The quotient of integers without a sign, b > 0. By floating numbers: x + 1/2 over b is half a b-th away from
// integers, which is more than the roundings are, of x below 2^16 in floats and below 2^32 in doubles. Of 64 bits a
// reciprocal that is too small by 2^-50 gives at most the quotient, and again of what that leaves; less than 2 b is
// left then.
template <class U>
RICCI_INLINE RICCI_HD constexpr U quotient(U x, U b) {
  if (int(sizeof(U)) > RICCI_FLOATING_QUOTIENTS || __builtin_is_constant_evaluated()) return static_cast<U>(x / b);
  if constexpr (sizeof(U) <= 4) {
    using F = std::conditional_t<sizeof(U) <= 2, float, double>;
    return static_cast<U>((static_cast<F>(x) + F(0.5)) * (F(1) / static_cast<F>(b)));
  } else {
    double const inverse = (1 - 0x1p-50) / static_cast<double>(b);
    U const most = static_cast<U>(static_cast<double>(x) * inverse), left = x - most * b;
    U const more = static_cast<U>(static_cast<double>(left) * inverse);
    return most + more + (left - more * b >= b);
  }
}
// Python's //: the floor of the exact quotient. (a / b may be rounded up to an integer that the quotient does not
// reach.) Of integers, what is divided by 0 is 0, and the lowest number over -1 wraps to itself, as in NumPy.
template <class T>
RICCI_HD constexpr T floor_divide(T a, T b) {
  if (b == 0) return a / b;
  T const r = truncated_remainder(a, b);
  T q = (a - r) / b;
  if (r != 0 && (r < 0) != (b < 0)) q -= T(1);
  T const down = floor(q);
  return q == 0 ? q : q - down > T(0.5) ? down + T(1) : down;
}
template <class T>
requires std::is_integral_v<T> RICCI_INLINE RICCI_HD constexpr T floor_divide(T a, T b) {
  using U = std::make_unsigned_t<T>;
  bool const below = is_negative(b) ? a > 0 : is_negative(a);  // the quotient is below 0, that is ~((|a| - 1) / |b|)
  U const flip = static_cast<U>(below ? -1 : 0), by = static_cast<U>(is_negative(b) ? negative(b) : b),
          of = static_cast<U>(is_negative(b) ? negative(a) : a);
  U const q = quotient(static_cast<U>(of ^ flip), b == 0 ? U(1) : by);
  return b == 0 ? T(0) : static_cast<T>(q ^ flip);
}
// a^b by squaring, which wraps; to a negative power the quotient of 1, truncated: 0 but of 1 and -1.
template <class T>
RICCI_INLINE RICCI_HD constexpr T integer_power(T a, T b) {
  using U = std::make_unsigned_t<T>;
  if (is_negative(b)) return a == 1 ? T(1) : !is_minus_one(a) ? T(0) : b % 2 == 0 ? T(1) : a;
  U left = static_cast<U>(b);
  wrapping<T> power = static_cast<wrapping<T>>(a), r = left & 1 ? power : 1;
  if (left <= 3) return static_cast<T>(left & 2 ? r * power * power : r);  // what most powers are
  for (left = static_cast<U>(left >> 1); left != 0; left = static_cast<U>(left >> 1)) {
    power *= power;
    if (left & 1) r *= power;
  }
  return static_cast<T>(r);
}
// Python's %: what floor_divide leaves, exact but for one rounding where the signs differ; it has the sign of b. Of
// integers that are divided by 0 it is 0, as in NumPy.
template <class T>
RICCI_HD constexpr T remainder(T a, T b) {
  T const r = truncated_remainder(a, b);
  if (r == 0) return is_negative(b) ? negative(abs(r)) : abs(r);
  return is_negative(r) != is_negative(b) ? T(r + b) : r;
}
template <class T>
requires std::is_integral_v<T> RICCI_INLINE RICCI_HD constexpr T remainder(T a, T b) {
  return b == 0 ? T(0) : subtract(a, multiply(floor_divide(a, b), b));
}

}  // namespace RICCI_ABI
}  // namespace ricci::scalar
