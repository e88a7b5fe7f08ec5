// Vectors of keys, integers without a sign of 4 or 8 bytes, as sorting needs them (core/sort_keys.hpp): exchanged
// element by element, moved between lanes, and parted: those of some lanes to the first ones, the others to the last.
#pragma once

#include <ricci/core/xsimd.hpp>

// What parts by instructions that compress, AVX-512, or by a table, AVX2, has vectors of so many bytes, with the
// intrinsics that xsimd brings; of others there are no vectors of keys.
#if !RICCI_HAS_XSIMD || !defined(__AVX2__) || defined(__CUDACC__)
#define RICCI_KEY_LANES_BYTES 0
#elif defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#define RICCI_KEY_LANES_BYTES 64
#else
#define RICCI_KEY_LANES_BYTES 32
#endif

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

// Whether there are vectors of these keys.
template <class Key>
inline constexpr bool has_key_lanes = RICCI_KEY_LANES_BYTES != 0 && (sizeof(Key) == 4 || sizeof(Key) == 8);

#if RICCI_KEY_LANES_BYTES != 0
// For each set of so many lanes the lanes that it has, then those that it lacks: so many words each, a byte for a word.
template <int Lanes, int Words>
struct parting_lanes {
  std::uint64_t of[1 << Lanes]{};
  constexpr parting_lanes() {
    for (unsigned set = 0; set < 1u << Lanes; ++set) {
      int at = 0;
      for (unsigned const part : {set, ~set})
        for (int k = 0; k < Lanes; ++k)
          if (part >> k & 1)
            for (int w = 0; w < Words; ++w) of[set] |= std::uint64_t(k * Words + w) << 8 * at++;
    }
  }
};
template <int Lanes, int Words>
inline constexpr parting_lanes<Lanes, Words> parting{};
template <int Lanes, int Words>
RICCI_INLINE __m128i parting_bytes(unsigned set) {
  return _mm_cvtsi64_si128(static_cast<long long>(parting<Lanes, Words>.of[set]));
}
#if RICCI_KEY_LANES_BYTES == 64
// From its element k on: 16 lanes, moved by k towards the last one and round.
struct rotating_lanes {
  std::uint32_t of[32]{};
  constexpr rotating_lanes() {
    for (unsigned k = 0; k < 32; ++k) of[k] = k % 16;
  }
};
inline constexpr rotating_lanes rotating{};
#endif

template <class Key>
struct key_lanes {
  static constexpr int size = RICCI_KEY_LANES_BYTES / int(sizeof(Key));
  using type [[gnu::vector_size(RICCI_KEY_LANES_BYTES)]] = Key;
  using unaligned [[gnu::vector_size(RICCI_KEY_LANES_BYTES), gnu::aligned(alignof(Key)), gnu::may_alias]] = Key;
  // a bit for each lane
  using lane_set = std::uint32_t;
  static constexpr lane_set all = (lane_set(1) << size) - 1;
  // the first lanes of `first` have the keys of a set, the last ones of `last` the others
  struct parts {
    type first, last;
  };

  RICCI_INLINE static type load(Key const* p) { return *reinterpret_cast<unaligned const*>(p); }
  RICCI_INLINE static void store(Key* p, type v) { *reinterpret_cast<unaligned*>(p) = v; }
  RICCI_INLINE static type spread(Key x) { return type{} + x; }
  RICCI_INLINE static type least(type a, type b) { return a < b ? a : b; }
  RICCI_INLINE static type greatest(type a, type b) { return a < b ? b : a; }

#if RICCI_KEY_LANES_BYTES == 64
  RICCI_INLINE static lane_set are_at_most(type a, type b) {
    if constexpr (sizeof(Key) == 4)
      return _mm512_cmple_epu32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
    else
      return _mm512_cmple_epu64_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
  }
  // of which the set has n
  RICCI_INLINE static parts parted(type v, lane_set set, int n) {
    __m512i const keys = reinterpret_cast<__m512i>(v);
    if constexpr (sizeof(Key) == 4) {
      __m512i const first = _mm512_maskz_compress_epi32(__mmask16(set), keys),
                    rest = _mm512_maskz_compress_epi32(__mmask16(~set & all), keys),
                    lanes = _mm512_loadu_si512(rotating.of + (size - n));
      return {reinterpret_cast<type>(first), reinterpret_cast<type>(_mm512_permutexvar_epi32(lanes, rest))};
    } else {
      __m512i const lanes = _mm512_cvtepu8_epi64(parting_bytes<8, 1>(set));
      type const both = reinterpret_cast<type>(_mm512_permutexvar_epi64(lanes, keys));
      return {both, both};
    }
  }
#else
  // lanes of ones and zeros: whether a is greater
  RICCI_INLINE static __m256i is_greater(type a, type b) {
    constexpr Key top = Key(1) << (8 * sizeof(Key) - 1);
    __m256i const x = reinterpret_cast<__m256i>(a ^ spread(top)), y = reinterpret_cast<__m256i>(b ^ spread(top));
    if constexpr (sizeof(Key) == 4)
      return _mm256_cmpgt_epi32(x, y);
    else
      return _mm256_cmpgt_epi64(x, y);
  }
  RICCI_INLINE static lane_set are_at_most(type a, type b) {
    if constexpr (sizeof(Key) == 4)
      return ~lane_set(_mm256_movemask_ps(_mm256_castsi256_ps(is_greater(a, b)))) & all;
    else
      return ~lane_set(_mm256_movemask_pd(_mm256_castsi256_pd(is_greater(a, b)))) & all;
  }
  RICCI_INLINE static parts parted(type v, lane_set set, int) {
    __m256i const lanes = _mm256_cvtepu8_epi32(parting_bytes<size, int(sizeof(Key)) / 4>(set));
    type const both = reinterpret_cast<type>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(v), lanes));
    return {both, both};
  }
#endif
};
#endif  // RICCI_KEY_LANES_BYTES != 0

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
