// Numbers of a launch: what keeps a GPU busy, quotients and logarithms; and the division of indices by a number that is
// known when a kernel is launched, as a multiplication.
#pragma once

#include <ricci/core/types.hpp>

namespace ricci::exec {

// threads that keep a GPU busy
inline constexpr index_t enough_threads = index_t(1) << 18;

// a / b, rounded up
RICCI_HD constexpr index_t quotient_up(index_t a, index_t b) { return a / b + (a % b != 0); }
// The logarithm of a power of two.
RICCI_HD constexpr int shift_of(int power) {
  int shift = 0;
  while (1 << shift < power) ++shift;
  return shift;
}

// By `divisor`, of numbers from 0 to below 2^63 (T. Granlund, P. Montgomery, "Division by invariant integers using
// multiplication", 1994, section 4: there of words with all their bits, which takes one more shift).
struct reciprocal {
  std::uint64_t factor;
  int shift;

  RICCI_HD constexpr index_t quotient(index_t n) const {
    __extension__ using wide = unsigned __int128;
    auto const m = static_cast<std::uint64_t>(n);
    return static_cast<index_t>((static_cast<std::uint64_t>(static_cast<wide>(m) * factor >> 64) + m) >> shift);
  }
  // the same in fewer instructions, of numbers below 2^31 by one below 2^31
  RICCI_HD constexpr std::uint32_t quotient(std::uint32_t n) const {
    __extension__ using wide = unsigned __int128;
    return (static_cast<std::uint32_t>(static_cast<wide>(n) * factor >> 64) + n) >> shift;
  }
};
constexpr reciprocal reciprocal_of(index_t divisor) {
  __extension__ using wide = unsigned __int128;
  if (divisor <= 0) return {0, 63};  // nothing to divide
  int shift = 0;
  while ((std::uint64_t(1) << shift) < static_cast<std::uint64_t>(divisor)) ++shift;
  auto const d = static_cast<std::uint64_t>(divisor), more = (std::uint64_t(1) << shift) - d;
  return {static_cast<std::uint64_t>((static_cast<wide>(more) << 64) / d) + 1, shift};
}
static_assert([] {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  for (index_t d : {index_t(1), index_t(2), index_t(3), index_t(7), index_t(64), index_t(67), index_t(641),
                    index_t(8191), index_t(65537), (index_t(1) << 31) - 1, most / 2, most / 2 + 2, most - 1, most})
    for (index_t q : {index_t(0), index_t(1), most / d - 1, most / d})
      for (index_t n : {(index_t(1) << 31) - 1, q * d - (q > 0), q * d, most - q, most})
        if (reciprocal_of(d).quotient(n) != n / d ||
            (n >> 31 == 0 && d >> 31 == 0 && reciprocal_of(d).quotient(std::uint32_t(n)) != n / d))
          return false;
  return true;
}());

}  // namespace ricci::exec
