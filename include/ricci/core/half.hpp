// What two-byte numbers that are stored but never computed with have in common: made of any number, which is rounded
// once, each becomes a float. Nothing is computed in them: operations on tensors of them are recorded as such of float
// between conversions (`arithmetic_type`, core/types.hpp), each rounded to the nearest number, ties to the even one. A
// type says by `widened` and `rounded` what its bits are as those of a float, and the other way around.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <ricci/core/abi.hpp>

RICCI_OPTIMIZED
namespace ricci {

template <class Derived>
class half_number {
 public:
  using computed_as = float;

  half_number() = default;
  // the nearest one; infinite where the number is beyond all
  template <class T>
  requires std::is_arithmetic_v<T> RICCI_INLINE RICCI_HD constexpr half_number(T x)
      : bits_(Derived::rounded(without_ties(x))) {}
  RICCI_INLINE RICCI_HD constexpr operator float() const { return Derived::widened(bits_); }
  RICCI_INLINE RICCI_HD static constexpr Derived of_bits(std::uint16_t bits) {
    Derived x{};
    x.bits_ = bits;
    return x;
  }
  RICCI_INLINE RICCI_HD constexpr std::uint16_t bits() const { return bits_; }
  // The number that follows this one towards b; b where they are equal, NaN where one is.
  RICCI_HD constexpr Derived next_towards(Derived b) const {
    float const x = *this, y = b;
    if (x != x) return of_bits(bits_);
    if (y != y || x == y) return b;
    if (x == 0) return of_bits(static_cast<std::uint16_t>(y < 0 ? 0x8001 : 1));
    return of_bits(static_cast<std::uint16_t>((x < y) == (x > 0) ? bits_ + 1 : bits_ - 1));
  }

 private:
  RICCI_INLINE RICCI_HD static constexpr float without_ties(float x) { return x; }
  // A float for which the number is rounded to what it would be itself. A float has more than two digits beyond those
  // that are left: where it is not the number, its last one says so (round to odd: S. Boldo, G. Melquiond, 2008).
  template <class T>
  RICCI_INLINE RICCI_HD static constexpr float without_ties(T number) {
    double const x = as_double(number), most = std::numeric_limits<float>::max();
    float const y = static_cast<float>(x > most ? most : x < -most ? -most : x);
    double const back = static_cast<double>(y);
    if (back == x || x != x) return x != x ? std::numeric_limits<float>::quiet_NaN() : y;
    bool const is_larger = x < 0 ? back < x : back > x;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(y) - (is_larger ? 1 : 0)) | 1);
  }

  // A number that a double does not hold becomes one with a last digit, in place of those that are lost.
  template <class T>
  RICCI_INLINE RICCI_HD static constexpr double as_double(T number) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      constexpr std::uint64_t lost = (1 << 11) - 1;
      std::uint64_t const size =
          number < T(0) ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
      if (size >> 53 != 0) {
        double const x = static_cast<double>((size & ~lost) | std::uint64_t((size & lost) != 0) << 11);
        return number < T(0) ? -x : x;
      }
    }
    return static_cast<double>(number);
  }

  std::uint16_t bits_;
};

// std::numeric_limits of one with so many digits, the first of them not stored, and exponents as IEEE 754 has them.
template <class T, int Digits>
struct limits_of_half {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
  static constexpr int radix = 2, digits = Digits, digits10 = (Digits - 1) * 3 / 10, max_digits10 = Digits * 3 / 10 + 2,
                       max_exponent = 1 << (15 - Digits), min_exponent = 3 - max_exponent;
  RICCI_INLINE static constexpr T min() { return T::of_bits(1 << (Digits - 1)); }
  RICCI_INLINE static constexpr T max() { return T::of_bits(infinite - 1); }
  RICCI_INLINE static constexpr T lowest() { return T::of_bits(0x8000 | (infinite - 1)); }
  RICCI_INLINE static constexpr T epsilon() {
    return T::of_bits(static_cast<std::uint16_t>((max_exponent - Digits) << (Digits - 1)));
  }
  RICCI_INLINE static constexpr T denorm_min() { return T::of_bits(1); }
  RICCI_INLINE static constexpr T infinity() { return T::of_bits(infinite); }
  RICCI_INLINE static constexpr T quiet_NaN() { return T::of_bits(infinite | 1 << (Digits - 2)); }

 private:
  static constexpr std::uint16_t infinite = 0x8000 - (1 << (Digits - 1));
};

}  // namespace ricci
RICCI_OPTIMIZED_END
