// Half precision, IEEE 754's binary16, as memory holds it: 11 digits, numbers from 6e-8 to 65504.
#pragma once

#include <ricci/core/half.hpp>

RICCI_OPTIMIZED
namespace ricci {

class float16 : public half_number<float16> {
 public:
  float16() = default;
  // a constructor of its own: compilers do not inline inherited ones
  template <class T>
  requires std::is_arithmetic_v<T> RICCI_INLINE RICCI_HD constexpr float16(T x) : half_number(x) {}

 private:
  friend half_number;
  RICCI_INLINE RICCI_HD static constexpr float widened(std::uint16_t bits) {
    std::uint32_t const magnitude = std::uint32_t(bits & 0x7fff) << 13;
    // The exponents of the two differ by 112. What is below the normal numbers counts steps of 2^-24: as a float it
    // would be below them, too, where some processors see zeros.
    float const x = magnitude < (1u << 23) ? static_cast<float>(static_cast<int>(magnitude >> 13)) * 0x1p-24f
                                           : std::bit_cast<float>(magnitude + (112u << 23));
    std::uint32_t const infinite = magnitude >= (31u << 23) ? 255u << 23 : 0;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) | infinite | std::uint32_t(bits & 0x8000) << 16);
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
};

}  // namespace ricci

template <>
class std::numeric_limits<ricci::float16> : public ricci::limits_of_half<ricci::float16, 11> {};
RICCI_OPTIMIZED_END
