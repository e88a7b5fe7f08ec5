// Division of indices by a number that is known when a kernel is launched, as a multiplication.
#pragma once

#include <ricci/core/types.hpp>

namespace ricci::exec {

// By `divisor`, of numbers from 0 to below 2^31 (T. Granlund, P. Montgomery, "Division by invariant integers using
// multiplication", 1994, section 4: there of all 32 bits, which take one more shift).
struct reciprocal {
  std::uint32_t factor, shift;

  RICCI_HD constexpr std::uint32_t times(std::uint32_t n) const {
    return (static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * factor) >> 32) + n) >> shift;
  }
  // n / divisor for any n that is not negative
  RICCI_HD constexpr index_t quotient(index_t n, index_t divisor) const {
    return n >> 31 == 0 ? static_cast<index_t>(times(static_cast<std::uint32_t>(n))) : n / divisor;
  }
};
constexpr reciprocal reciprocal_of(index_t divisor) {
  if (divisor <= 0 || divisor >> 31 != 0) return {0, 31};  // nothing to divide, or 0 of it
  std::uint32_t shift = 0;
  while ((index_t(1) << shift) < divisor) ++shift;
  std::uint64_t const more = (std::uint64_t(1) << shift) - static_cast<std::uint64_t>(divisor);
  return {static_cast<std::uint32_t>((more << 32) / static_cast<std::uint64_t>(divisor) + 1), shift};
}
static_assert([] {
  constexpr index_t most = (index_t(1) << 31) - 1;
  constexpr index_t divisors[] = {1, 2, 3, 5, 7, 64, 67, 641, 8191, 65537, most / 2, most / 2 + 2, most - 1, most};
  for (index_t d : divisors)
    for (index_t q : {index_t(0), index_t(1), index_t(2), index_t(1000), most / d - 1, most / d})
      for (index_t n : {q * d - 1, q * d, q * d + 1, q * d + d - 1, most})
        if (n >= 0 && n <= most && reciprocal_of(d).quotient(n, d) != n / d) return false;
  return reciprocal_of(most + 5).quotient(most, most + 5) == 0 &&
         reciprocal_of(10).quotient(most * 7, 10) == most * 7 / 10;
}());

}  // namespace ricci::exec
