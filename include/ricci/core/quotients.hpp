// Quotients and remainders of numbers, and powers and bits of integers.
#pragma once

#include <ricci/core/scalar.hpp>

namespace ricci::scalar {
inline namespace RICCI_ABI {

template <class T>
RICCI_INLINE RICCI_HD constexpr bool is_minus_one(T const& a) {
  return std::is_signed_v<T> && a == static_cast<T>(-1);
}
// C's %; 0 where integers are divided by 0, as in NumPy
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
