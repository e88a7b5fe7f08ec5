// What integers have in common: `rc::gcd(a, b)`, `rc::lcm(a, b)`, and `rc::bitwise_count(a)`, as in NumPy. Conditions
// enter as integers, floats are a compile error.
#pragma once

#include <ricci/core/bits.hpp>
#include <ricci/ops/bitwise.hpp>

namespace ricci {

namespace scalar {
inline namespace RICCI_ABI {

// |a|, also of the lowest number
template <class T>
RICCI_INLINE RICCI_HD constexpr std::make_unsigned_t<T> magnitude(T a) {
  using U = std::make_unsigned_t<T>;
  return is_negative(a) ? static_cast<U>(U(0) - static_cast<U>(a)) : static_cast<U>(a);
}
// by Euclid's algorithm
template <class U>
RICCI_HD constexpr U common_divisor(U a, U b) {
  while (b != 0) {
    U const rest = static_cast<U>(a % b);
    a = b, b = rest;
  }
  return a;
}

}  // namespace RICCI_ABI
}  // namespace scalar

// The greatest common divisor, never negative; of 0 and b it is |b|. Operands broadcast. (The lowest number of a type
// is its own divisor, as its magnitude wraps.)
struct gcd_t : shift<gcd_t> {
  static constexpr auto name = "gcd";
  static constexpr bool commutative = true;
  static constexpr std::uint8_t cost = 64;
  RICCI_FN kernel(auto a, auto b) {
    return static_cast<decltype(a)>(scalar::common_divisor(scalar::magnitude(a), scalar::magnitude(b)));
  }
};
// The least common multiple, which wraps where the type does not hold it; where a or b is 0 it is 0. Operands
// broadcast.
struct lcm_t : shift<lcm_t> {
  static constexpr auto name = "lcm";
  static constexpr bool commutative = true;
  static constexpr std::uint8_t cost = 64;
  RICCI_FN kernel(auto a, auto b) {
    using T = decltype(a);
    using U = std::make_unsigned_t<T>;
    U const x = scalar::magnitude(a), y = scalar::magnitude(b), divisor = scalar::common_divisor(x, y);
    return divisor == 0 ? T(0) : static_cast<T>(std::uint64_t(x / divisor) * y);
  }
};
// How many bits of |a| are 1, as a number of 8 bits without a sign.
struct bitwise_count_t : bitwise<bitwise_count_t, 1> {
  static constexpr auto name = "bitwise_count";
  static constexpr dtype operand_type(dtype t) { return numeric_type_for(is_inexact(t) ? dtype::int64 : t); }
  static constexpr dtype result_type(dtype) { return dtype_of<std::uint8_t>; }
  RICCI_FN kernel(auto a) { return static_cast<std::uint8_t>(core::count_of_ones(scalar::magnitude(a))); }
};
inline constexpr gcd_t gcd{};
inline constexpr lcm_t lcm{};
inline constexpr bitwise_count_t bitwise_count{};

}  // namespace ricci
