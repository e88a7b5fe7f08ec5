// Philox4x32-10: four random words of 32 bits from a counter of four and a key of two, by ten rounds of multiplications
// and exclusive ors. There is no state: block c of a stream is computed from c. (J. Salmon, M. Moraes, R. Dror, D.
// Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011, section 3.3; constants from its table 2.)
#pragma once

#include <cstdint>

#include <ricci/core/config.hpp>

namespace ricci::random {

struct philox4x32 {
  std::uint32_t word[4];
  friend constexpr bool operator==(philox4x32 const&, philox4x32 const&) = default;
};

namespace philox {

// functions, as device code has no arrays of constants
RICCI_HD constexpr std::uint32_t multiplier(int k) { return k == 0 ? 0xD2511F53u : 0xCD9E8D57u; }
RICCI_HD constexpr std::uint32_t key_step(int k) { return k == 0 ? 0x9E3779B9u : 0xBB67AE85u; }
inline constexpr int rounds = 10;

// What a stream is for: the last word of its counters, so that keys made from a key share no block with its numbers.
enum class purpose : std::uint32_t { numbers, keys };

}  // namespace philox

// The block of a counter under a key.
RICCI_HD constexpr philox4x32 philox_block(philox4x32 c, std::uint32_t k0, std::uint32_t k1) {
  for (int round = 0; round < philox::rounds; ++round) {
    std::uint64_t const a = std::uint64_t(philox::multiplier(0)) * c.word[0],
                        b = std::uint64_t(philox::multiplier(1)) * c.word[2];
    c = {{std::uint32_t(b >> 32) ^ c.word[1] ^ k0, std::uint32_t(b), std::uint32_t(a >> 32) ^ c.word[3] ^ k1,
          std::uint32_t(a)}};
    k0 += philox::key_step(0);
    k1 += philox::key_step(1);
  }
  return c;
}
// Block `number` of the stream for a purpose under a key of 64 bits.
RICCI_HD constexpr philox4x32 philox_block(std::uint64_t key, std::uint64_t number,
                                           philox::purpose of = philox::purpose::numbers) {
  return philox_block({{std::uint32_t(number), std::uint32_t(number >> 32), 0, std::uint32_t(of)}}, std::uint32_t(key),
                      std::uint32_t(key >> 32));
}
// Word i of the numbers under a key, of 32 or 64 bits: both are the same stream, its words in their order.
template <class W>
RICCI_HD constexpr W philox_word(std::uint64_t key, std::uint64_t i) {
  if constexpr (sizeof(W) == 4) {
    return philox_block(key, i / 4).word[i % 4];
  } else {
    philox4x32 const b = philox_block(key, i / 2);
    return b.word[2 * (i % 2)] | std::uint64_t(b.word[2 * (i % 2) + 1]) << 32;
  }
}
// Key number n of those made from a key.
RICCI_HD constexpr std::uint64_t philox_child(std::uint64_t key, std::uint64_t n) {
  philox4x32 const b = philox_block(key, n, philox::purpose::keys);
  return b.word[0] | std::uint64_t(b.word[1]) << 32;
}

}  // namespace ricci::random
