// A row of Philox's words on the host. A block lies in four registers of 64 bits, lane k of each with block k, since
// that is how processors multiply words of 32 bits; what a product leaves in the upper half of a lane, the next one
// does not read. Where there is no such instruction the compiler vectorises plain loops.
#pragma once

#include <bit>

#include <ricci/exec/cpu/pack.hpp>
#include <ricci/random/philox.hpp>

RICCI_OPTIMIZED
namespace ricci::random {
inline namespace RICCI_ABI {

// Lanes of 64 bits, and the product of their lower halves with a number.
#if RICCI_HAS_XSIMD && defined(__AVX512F__)
struct philox_lanes {
  static constexpr int width = 8;
  typedef std::uint64_t type __attribute__((vector_size(64)));
  template <int... K>
  RICCI_INLINE static type numbers(std::integer_sequence<int, K...>) {
    return type{K...};
  }
  RICCI_INLINE static type product(type a, std::uint32_t b) {
    return (type)_mm512_mul_epu32((__m512i)a, (__m512i)(type{} + b));
  }
};
#elif RICCI_HAS_XSIMD && defined(__AVX2__)
struct philox_lanes {
  static constexpr int width = 4;
  typedef std::uint64_t type __attribute__((vector_size(32)));
  template <int... K>
  RICCI_INLINE static type numbers(std::integer_sequence<int, K...>) {
    return type{K...};
  }
  RICCI_INLINE static type product(type a, std::uint32_t b) {
    return (type)_mm256_mul_epu32((__m256i)a, (__m256i)(type{} + b));
  }
};
#elif RICCI_HAS_XSIMD && defined(__SSE2__)
struct philox_lanes {
  static constexpr int width = 2;
  typedef std::uint64_t type __attribute__((vector_size(16)));
  template <int... K>
  RICCI_INLINE static type numbers(std::integer_sequence<int, K...>) {
    return type{K...};
  }
  RICCI_INLINE static type product(type a, std::uint32_t b) {
    return (type)_mm_mul_epu32((__m128i)a, (__m128i)(type{} + b));
  }
};
#endif

#if RICCI_HAS_XSIMD && defined(__SSE2__)
// a[0], b[0], a[1], b[1], ... at `to`
template <class V, int... K>
RICCI_INLINE void write_interleaved(std::uint32_t* to, V a, V b, std::integer_sequence<int, K...>) {
  constexpr int half = int(sizeof...(K)) / 2;
#if defined(__clang__)
  V const parts[] = {__builtin_shufflevector(a, b, (K / 2 + K % 2 * 2 * half)...),
                     __builtin_shufflevector(a, b, (half + K / 2 + K % 2 * 2 * half)...)};
#else
  V const parts[] = {__builtin_shuffle(a, b, V{(K / 2 + K % 2 * 2 * half)...}),
                     __builtin_shuffle(a, b, V{(half + K / 2 + K % 2 * 2 * half)...})};
#endif
  __builtin_memcpy(to, parts, sizeof parts);
}
#endif

// How many blocks are computed at once: two registers of each word, so that one is multiplied while another waits for
// its products, and all of them stay in registers.
#if RICCI_HAS_XSIMD && defined(__SSE2__)
inline constexpr int philox_batch = 2 * philox_lanes::width;
#else
inline constexpr int philox_batch = 16;
#endif

// The words of that many blocks from number `first` on, four each.
RICCI_INLINE void philox_blocks(std::uint32_t* to, std::uint64_t key, std::uint64_t first) {
  std::uint32_t k0 = std::uint32_t(key), k1 = std::uint32_t(key >> 32);
#if RICCI_HAS_XSIMD && defined(__SSE2__)
  using lanes = philox_lanes;
  using V = lanes::type;
  constexpr int count = philox_batch / lanes::width;
  V c0[count], c1[count], c2[count], c3[count];
  for (int u = 0; u < count; ++u) {
    c0[u] = lanes::numbers(std::make_integer_sequence<int, lanes::width>{}) + (first + std::uint64_t(u * lanes::width));
    c1[u] = c0[u] >> 32;
    c2[u] = c3[u] = V{};
  }
  RICCI_UNROLL(10)
  for (int round = 0; round < philox::rounds; ++round) {
    RICCI_UNROLL(8)
    for (int u = 0; u < count; ++u) {
      V const a = lanes::product(c0[u], philox::multiplier(0)), b = lanes::product(c2[u], philox::multiplier(1));
      c0[u] = (b >> 32) ^ c1[u] ^ (V{} + k0);
      c2[u] = (a >> 32) ^ c3[u] ^ (V{} + k1);
      c1[u] = b;
      c3[u] = a;
    }
    k0 += philox::key_step(0);
    k1 += philox::key_step(1);
  }
  V const low = V{} + 0xffffffffu;
  for (int u = 0; u < count; ++u) {
    V const a = (c0[u] & low) | (c1[u] << 32), b = (c2[u] & low) | (c3[u] << 32);
    write_interleaved(to + 4 * lanes::width * u, a, b, std::make_integer_sequence<int, lanes::width>{});
  }
#else
  std::uint32_t c0[philox_batch], c1[philox_batch], c2[philox_batch], c3[philox_batch];
  for (int k = 0; k < philox_batch; ++k) {
    c0[k] = std::uint32_t(first + std::uint64_t(k));
    c1[k] = std::uint32_t((first + std::uint64_t(k)) >> 32);
    c2[k] = c3[k] = 0;
  }
  for (int round = 0; round < philox::rounds; ++round) {
    for (int k = 0; k < philox_batch; ++k) {
      std::uint64_t const a = std::uint64_t(philox::multiplier(0)) * c0[k],
                          b = std::uint64_t(philox::multiplier(1)) * c2[k];
      c0[k] = std::uint32_t(b >> 32) ^ c1[k] ^ k0;
      c2[k] = std::uint32_t(a >> 32) ^ c3[k] ^ k1;
      c1[k] = std::uint32_t(b);
      c3[k] = std::uint32_t(a);
    }
    k0 += philox::key_step(0);
    k1 += philox::key_step(1);
  }
  for (int k = 0; k < philox_batch; ++k) {
    std::uint32_t const block[] = {c0[k], c1[k], c2[k], c3[k]};
    __builtin_memcpy(to + 4 * k, block, sizeof block);
  }
#endif
}

// n words from number `begin`, which is a multiple of four.
template <class W>
RICCI_NOINLINE void philox_row(W* to, std::uint64_t key, index_t begin, index_t n) {
  constexpr int in_block = 16 / int(sizeof(W)), in_batch = in_block * philox_batch;
  auto const block = std::uint64_t(begin / in_block);
  index_t i = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::uint32_t words[4 * philox_batch];
    for (; i + in_batch <= n; i += in_batch) {
      philox_blocks(words, key, block + std::uint64_t(i / in_block));
      __builtin_memcpy(to + i, words, sizeof words);
    }
  }
  for (; i < n; i += in_block) {
    philox4x32 const b = philox_block(key, block + std::uint64_t(i / in_block));
    for (int k = 0; k < in_block && i + k < n; ++k) {
      if constexpr (sizeof(W) == 4)
        to[i + k] = b.word[k];
      else
        to[i + k] = b.word[2 * k] | std::uint64_t(b.word[2 * k + 1]) << 32;
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::random
RICCI_OPTIMIZED_END
