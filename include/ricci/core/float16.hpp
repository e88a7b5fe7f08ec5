// Half precision, IEEE 754's binary16, as memory holds it: 11 digits, numbers from 6e-8 to 65504. Nothing is computed
// in it. As a C++ number it becomes a float; operations on tensors of it are recorded as such of float between
// conversions (`arithmetic_type`, core/types.hpp), each rounded to the nearest number, ties to the even one.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <ricci/core/abi.hpp>

RICCI_OPTIMIZED
namespace ricci {

class float16 {
 public:
  using computed_as = float;

  float16() = default;
  // the nearest one; infinite where the number is beyond all
  template <class T>
  requires std::is_arithmetic_v<T> RICCI_INLINE RICCI_HD constexpr float16(T x) : bits_(rounded(without_ties(x))) {}
  RICCI_INLINE RICCI_HD constexpr operator float() const {
    std::uint32_t const magnitude = std::uint32_t(bits_ & 0x7fff) << 13;
    // The exponents of the two differ by 112. What is below the normal numbers counts steps of 2^-24: as a float it
    // would be below them, too, where some processors see zeros.
    float const x = magnitude < (1u << 23) ? static_cast<float>(static_cast<int>(magnitude >> 13)) * 0x1p-24f
                                           : std::bit_cast<float>(magnitude + (112u << 23));
    std::uint32_t const infinite = magnitude >= (31u << 23) ? 255u << 23 : 0;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) | infinite | std::uint32_t(bits_ & 0x8000) << 16);
  }
  RICCI_INLINE RICCI_HD static constexpr float16 of_bits(std::uint16_t bits) {
    float16 x{};
    x.bits_ = bits;
    return x;
  }
  RICCI_INLINE RICCI_HD constexpr std::uint16_t bits() const { return bits_; }

 private:
  RICCI_INLINE RICCI_HD static constexpr float without_ties(float x) { return x; }
  // A float for which the number is rounded to what it would be itself. A float has more than two digits beyond those
  // that are left: where it is not the number, its last one says so (round to odd: S. Boldo, G. Melquiond, 2008).
  template <class T>
  RICCI_INLINE RICCI_HD static constexpr float without_ties(T number) {
    double const x = static_cast<double>(number), most = std::numeric_limits<float>::max();
    float const y = static_cast<float>(x > most ? most : x < -most ? -most : x);
    double const back = static_cast<double>(y);
    if (back == x || x != x) return x != x ? std::numeric_limits<float>::quiet_NaN() : y;
    bool const is_larger = x < 0 ? back < x : back > x;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(y) - (is_larger ? 1 : 0)) | 1);
  }
  // All of it is selections, so that loops over it are vectorised.
  RICCI_INLINE RICCI_HD static constexpr std::uint16_t rounded(float x) {
    std::uint32_t const all = std::bit_cast<std::uint32_t>(x), sign = all & 0x80000000u, u = all ^ sign;
    // below the normal numbers: the last digit is that of a float in [1/2, 1)
    std::uint32_t const half = 126u << 23;
    std::uint32_t const small =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(u < (113u << 23) ? u : 0) + std::bit_cast<float>(half)) -
        half;
    std::uint32_t const normal = (u - (112u << 23) + 0xfff + (u >> 13 & 1)) >> 13;
    std::uint32_t const beyond = u > (255u << 23) ? 0x7e00 : 0x7c00;
    std::uint32_t const y = u >= (143u << 23) ? beyond : u < (113u << 23) ? small : normal;
    return static_cast<std::uint16_t>(y | sign >> 16);
  }

  std::uint16_t bits_;
};

}  // namespace ricci

template <>
class std::numeric_limits<ricci::float16> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
  static constexpr int radix = 2, digits = 11, digits10 = 3, max_digits10 = 5, min_exponent = -13, max_exponent = 16;
  RICCI_INLINE static constexpr ricci::float16 min() { return ricci::float16::of_bits(0x0400); }
  RICCI_INLINE static constexpr ricci::float16 max() { return ricci::float16::of_bits(0x7bff); }
  RICCI_INLINE static constexpr ricci::float16 lowest() { return ricci::float16::of_bits(0xfbff); }
  RICCI_INLINE static constexpr ricci::float16 epsilon() { return ricci::float16::of_bits(0x1400); }
  RICCI_INLINE static constexpr ricci::float16 denorm_min() { return ricci::float16::of_bits(0x0001); }
  RICCI_INLINE static constexpr ricci::float16 infinity() { return ricci::float16::of_bits(0x7c00); }
  RICCI_INLINE static constexpr ricci::float16 quiet_NaN() { return ricci::float16::of_bits(0x7e00); }
};
RICCI_OPTIMIZED_END
