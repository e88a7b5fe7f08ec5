// The upper half of a float as memory holds it: 8 digits, the range of float.
#pragma once

#include <ricci/core/half.hpp>

RICCI_OPTIMIZED
namespace ricci {

class bfloat16 : public half_number<bfloat16> {
 public:
  bfloat16() = default;
  // a constructor of its own: compilers do not inline inherited ones
  template <class T>
  requires std::is_arithmetic_v<T> RICCI_INLINE RICCI_HD constexpr bfloat16(T x) : half_number(x) {}

 private:
  friend half_number;
  RICCI_INLINE RICCI_HD static constexpr float widened(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
  }
  // All of it is selections, so that loops over it are vectorised.
  RICCI_INLINE RICCI_HD static constexpr std::uint16_t rounded(float x) {
    std::uint32_t const u = std::bit_cast<std::uint32_t>(x), nearest = u + 0x7fff + (u >> 16 & 1);
    bool const is_nan = (u & 0x7fffffffu) > 0x7f800000u;
    return static_cast<std::uint16_t>((is_nan ? u | 0x00400000u : nearest) >> 16);
  }
};

}  // namespace ricci

template <>
class std::numeric_limits<ricci::bfloat16> : public ricci::limits_of_half<ricci::bfloat16, 8> {};
RICCI_OPTIMIZED_END
