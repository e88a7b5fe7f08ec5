// Threefry2x32-20: two random words of 32 bits from a counter of two and a key of two, by twenty rounds of sums,
// rotations and exclusive ors. It is here for JAX's streams: jax.random.key(seed) is {0, seed}. (J. Salmon, M. Moraes,
// R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011, section 3.2; rotations from its table 2.)
#pragma once

#include <cstdint>

#include <ricci/core/config.hpp>

namespace ricci::random {

struct threefry2x32 {
  std::uint32_t word[2];
  friend constexpr bool operator==(threefry2x32 const&, threefry2x32 const&) = default;
};

namespace threefry_constants {
inline constexpr int rounds = 20;
inline constexpr std::uint32_t parity = 0x1BD11BDAu;
}  // namespace threefry_constants

// The block of a counter under a key.
RICCI_HD constexpr threefry2x32 threefry_block(threefry2x32 c, std::uint32_t k0, std::uint32_t k1) {
  constexpr int rotation[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  std::uint32_t const key[3] = {k0, k1, threefry_constants::parity ^ k0 ^ k1};
  std::uint32_t x = c.word[0] + k0, y = c.word[1] + k1;
  for (int round = 0; round < threefry_constants::rounds; ++round) {
    int const left = rotation[round % 8];
    x += y;
    y = (y << left | y >> (32 - left)) ^ x;
    if (round % 4 == 3) {  // the key once more after every four rounds
      int const n = round / 4 + 1;
      x += key[n % 3];
      y += key[(n + 1) % 3] + std::uint32_t(n);
    }
  }
  return {{x, y}};
}
RICCI_HD constexpr threefry2x32 threefry_block(std::uint32_t k0, std::uint32_t k1, std::uint64_t number) {
  return threefry_block({{std::uint32_t(number >> 32), std::uint32_t(number)}}, k0, k1);
}
// Word i of the numbers under a key, of 32 or 64 bits, as JAX makes them (jax_threefry_partitionable, the default since
// JAX 0.5): both words of block i, as one of 64 bits or, exclusive or, one of 32.
template <class W>
RICCI_HD constexpr W threefry_word(std::uint32_t k0, std::uint32_t k1, std::uint64_t i) {
  threefry2x32 const b = threefry_block(k0, k1, i);
  if constexpr (sizeof(W) == 4)
    return b.word[0] ^ b.word[1];
  else
    return std::uint64_t(b.word[0]) << 32 | b.word[1];
}

}  // namespace ricci::random
