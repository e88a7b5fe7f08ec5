// Loads and stores of packs: whole, the first few lanes, one number in all lanes, and booleans as bytes.
#pragma once

#include <ricci/exec/cpu/pack.hpp>

#if RICCI_HAS_XSIMD

namespace ricci::simd {
inline namespace RICCI_ABI {

// Whether a part of a register is loaded and stored by one instruction, not lane by lane.
#if defined(__AVX512F__)
inline constexpr bool loads_parts = true;
#else
inline constexpr bool loads_parts = false;
#endif

#if defined(__GNUC__) || defined(__clang__)
// Each lane of a register in the place of that whose number differs in the bits of `Distance`.
template <int Distance, class V, int... L>
RICCI_INLINE V lane_swapped(V v, std::integer_sequence<int, L...>) {
  return __builtin_shufflevector(v, v, (L ^ Distance)...);
}

// Whether the compiler knows that there are few. Those are loaded and stored one by one: an instruction for a part of a
// register waits until what was just written beside or in it has reached the cache.
RICCI_INLINE bool are_known_few(index_t n) { return __builtin_constant_p(n) && n <= 4; }
template <class T>
RICCI_INLINE pack<T> load_one_by_one(T const* p, index_t n) {
  return [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
    typename pack<T>::memory const lanes = {(L < n ? p[L] : T(0))...};
    return pack<T>(typename pack<T>::batch((typename pack<T>::register_type)lanes));
  }
  (std::make_integer_sequence<int, pack<T>::size>{});
}
// Half a register, where the compiler knows that it is that, is an instruction without a mask for the same reason.
template <class T>
RICCI_INLINE bool is_known_half(index_t n) {
  return __builtin_constant_p(n) && n == pack<T>::size / 2;
}
#endif

// n lanes (0 <= n <= size) from elements that lie `stride` bytes apart, the first `offset` bytes behind p; the others
// are zero. Through memory they would have to be written before they are read as one register.
template <class T>
RICCI_INLINE pack<T> load_apart(T const* p, index_t offset, index_t stride, index_t n) {
  char const* const first = reinterpret_cast<char const*>(p) + offset;
  auto const at = [&](index_t k) RICCI_INLINE_LAMBDA { return *reinterpret_cast<T const*>(first + k * stride); };
#if defined(__GNUC__) || defined(__clang__)
  if (n >= pack<T>::size) return [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      typename pack<T>::memory const lanes = {at(L)...};
      return pack<T>(typename pack<T>::batch((typename pack<T>::register_type)lanes));
    }
  (std::make_integer_sequence<int, pack<T>::size>{});
#endif
  alignas(64) T lanes[pack<T>::size] = {};
  for (index_t k = 0; k < n; ++k) lanes[k] = at(k);
  return pack<T>::load(lanes);
}

// The first n lanes (0 <= n <= size); the others are zero.
template <class T>
RICCI_INLINE pack<T> load_first(T const* p, index_t n) {
#if defined(__AVX512F__)
  if (are_known_few(n)) return load_one_by_one(p, n);
  if constexpr (sizeof(T) == 4)
    if (is_known_half<T>(n)) return typename pack<T>::batch(_mm512_zextps256_ps512(_mm256_loadu_ps(p)));
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p));
  else
    return typename pack<T>::batch(_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p));
#elif defined(__AVX__)
  alignas(64) static constexpr std::int32_t steps[] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  __m256i const lanes =
      _mm256_loadu_si256(reinterpret_cast<__m256i const*>(steps + 8 - n * index_t(sizeof(T) / sizeof(std::int32_t))));
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(_mm256_maskload_ps(p, lanes));
  else
    return typename pack<T>::batch(_mm256_maskload_pd(p, lanes));
#elif defined(__GNUC__) || defined(__clang__)
  return load_one_by_one(p, n);
#else
  alignas(64) T lanes[pack<T>::size] = {};
  for (index_t k = 0; k < n; ++k) lanes[k] = p[k];
  return pack<T>::load(lanes);
#endif
}
template <class T>
RICCI_INLINE void store_first(pack<T> x, T* p, index_t n) {
#if defined(__AVX512F__)
  if (are_known_few(n)) {
    auto const lanes = (typename pack<T>::memory)x.v.data;
    for (int k = 0; k < 4 && k < n; ++k) p[k] = lanes[k];
    return;
  }
  if constexpr (sizeof(T) == 4)
    if (is_known_half<T>(n)) return _mm256_storeu_ps(p, _mm512_castps512_ps256(x.v));
  if constexpr (sizeof(T) == 4)
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), x.v);
  else
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1), x.v);
#else
  alignas(64) T lanes[pack<T>::size];
  x.store(lanes);
  for (index_t k = 0; k < n; ++k) p[k] = lanes[k];
#endif
}

#if defined(__GNUC__) || defined(__clang__)
// The same by halves of a register, each of which is a whole load or store, or a part of one in turn, so that what is
// read soon after it was written comes from where it was written to. For all lanes that is one branch, which is always
// the same; so loops whose last batch is a part of one need no second body for it.
template <class T, int Lanes>
struct lanes_in_memory {
  typedef T type __attribute__((vector_size(sizeof(T) * Lanes), aligned(alignof(T))));
};
template <int Lanes, class T>
RICCI_INLINE auto load_part(T const* p, index_t n) {
  using lanes = typename lanes_in_memory<T, Lanes>::type;
  constexpr int half = Lanes / 2;
  if (n >= Lanes) return *reinterpret_cast<lanes const*>(p);
  if constexpr (sizeof(lanes) <= 16) {
    return [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      return lanes{(L < n ? p[L] : T(0))...};
    }
    (std::make_integer_sequence<int, Lanes>{});
  } else {
    using part = typename lanes_in_memory<T, half>::type;
    part const none{}, low = load_part<half>(p, n);
    part const high = n > half ? load_part<half>(p + half, n - half) : none;
    return [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      return lanes(__builtin_shufflevector(low, high, L...));
    }
    (std::make_integer_sequence<int, Lanes>{});
  }
}
template <int Lanes, class T, class V>
RICCI_INLINE void store_part(V x, T* p, index_t n) {
  using lanes = typename lanes_in_memory<T, Lanes>::type;
  constexpr int half = Lanes / 2;
  if (n >= Lanes) {
    *reinterpret_cast<lanes*>(p) = (lanes)x;
  } else if constexpr (sizeof(lanes) <= 16) {
    [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA { ((L < n ? void(p[L] = x[L]) : void()), ...); }
    (std::make_integer_sequence<int, Lanes>{});
  } else {
    using part = typename lanes_in_memory<T, half>::type;
    auto const half_of = [&]<int... L>(auto first, std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      return part(__builtin_shufflevector(x, x, (first + L)...));
    };
    constexpr std::make_integer_sequence<int, half> each{};
    store_part<half>(half_of(std::integral_constant<int, 0>{}, each), p, n);
    if (n > half) store_part<half>(half_of(std::integral_constant<int, half>{}, each), p + half, n - half);
  }
}
template <class T>
RICCI_INLINE pack<T> load_by_halves(T const* p, index_t n) {
  return pack<T>(typename pack<T>::batch((typename pack<T>::register_type)load_part<pack<T>::size>(p, n)));
}
template <class T>
RICCI_INLINE void store_by_halves(pack<T> x, T* p, index_t n) {
  store_part<pack<T>::size>((typename pack<T>::memory) static_cast<typename pack<T>::register_type>(x.v), p, n);
}
#endif

// A register of floats from memory of half precision, and back, by the instructions for it.
#if defined(__AVX512F__)
inline constexpr bool converts_halves = true;
RICCI_INLINE pack<float> load_halves(void const* p) {
  return typename pack<float>::batch(_mm512_cvtph_ps(_mm256_loadu_si256(static_cast<__m256i const*>(p))));
}
RICCI_INLINE void store_halves(pack<float> x, void* p) {
  _mm256_storeu_si256(static_cast<__m256i*>(p), _mm512_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#elif defined(__AVX__) && defined(__F16C__)
inline constexpr bool converts_halves = true;
RICCI_INLINE pack<float> load_halves(void const* p) {
  return typename pack<float>::batch(_mm256_cvtph_ps(_mm_loadu_si128(static_cast<__m128i const*>(p))));
}
RICCI_INLINE void store_halves(pack<float> x, void* p) {
  _mm_storeu_si128(static_cast<__m128i*>(p), _mm256_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
}
#else
inline constexpr bool converts_halves = false;
pack<float> load_halves(void const* p);  // never called
void store_halves(pack<float> x, void* p);
#endif

// true in the first n lanes
template <class T>
RICCI_INLINE mask<T> first_lanes(index_t n) {
#if defined(__AVX512F__)
  return {typename mask<T>::batch(static_cast<decltype(mask<T>::batch::data)>((1u << n) - 1))};
#else
  alignas(64) static constexpr auto steps = [] {
    struct {
      T lane[2 * pack<T>::size];
    } s{};
    for (int k = 0; k < pack<T>::size; ++k) s.lane[k] = T(1);
    return s;
  }();
  return pack<T>::load(steps.lane + pack<T>::size - n) != pack<T>(T(0));
#endif
}

// The first n lanes of a mask (0 <= n <= size) from booleans, and to them: bytes that are 0 or 1. They go through one
// instruction for each doubling of width, or through bits where registers of masks are bits.
#if defined(__AVX512BW__) && defined(__AVX512VL__)
RICCI_INLINE __mmask16 first_bytes(index_t n) { return static_cast<__mmask16>((1u << n) - 1); }
template <class T>
RICCI_INLINE mask<T> load_mask(bool const* p, index_t n) {
  __m128i const bytes = _mm_maskz_loadu_epi8(first_bytes(n), p);
  return {typename mask<T>::batch(static_cast<decltype(mask<T>::batch::data)>(_mm_test_epi8_mask(bytes, bytes)))};
}
template <class T>
RICCI_INLINE void store_mask(mask<T> m, bool* p, index_t n) {
  _mm_mask_storeu_epi8(p, first_bytes(n), _mm_maskz_set1_epi8(static_cast<__mmask16>(m.v.data), 1));
}
#elif defined(__SSE2__) && defined(__x86_64__) && !defined(__AVX512F__)
template <class T>
RICCI_INLINE mask<T> load_mask(bool const* p, index_t n) {
  std::uint64_t some = 0;
  __builtin_memcpy(&some, p, static_cast<std::size_t>(n));
  __m128i const bytes = _mm_cmpgt_epi8(_mm_cvtsi64_si128(static_cast<long long>(some)), _mm_setzero_si128()),
                two = _mm_unpacklo_epi8(bytes, bytes), four = _mm_unpacklo_epi16(two, two),
                next = sizeof(T) == 4 ? _mm_unpackhi_epi16(two, two) : _mm_unpackhi_epi32(four, four),
                lanes = sizeof(T) == 4 ? four : _mm_unpacklo_epi32(four, four);
#if defined(__AVX__)
  __m256i const all = _mm256_insertf128_si256(_mm256_castsi128_si256(lanes), next, 1);
  if constexpr (sizeof(T) == 4)
    return {typename mask<T>::batch(_mm256_castsi256_ps(all))};
  else
    return {typename mask<T>::batch(_mm256_castsi256_pd(all))};
#else
  static_cast<void>(next);
  if constexpr (sizeof(T) == 4)
    return {typename mask<T>::batch(_mm_castsi128_ps(lanes))};
  else
    return {typename mask<T>::batch(_mm_castsi128_pd(lanes))};
#endif
}
template <class T>
RICCI_INLINE void store_mask(mask<T> m, bool* p, index_t n) {
  __m128 low, high;
#if defined(__AVX__)
  __m256 lanes;
  if constexpr (sizeof(T) == 4)
    lanes = m.v.data;
  else
    lanes = _mm256_castpd_ps(m.v.data);
  low = _mm256_castps256_ps128(lanes), high = _mm256_extractf128_ps(lanes, 1);
#else
  if constexpr (sizeof(T) == 4)
    low = m.v.data;
  else
    low = _mm_castpd_ps(m.v.data);
  high = low;
#endif
  if constexpr (sizeof(T) == 8) low = high = _mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
  __m128i const two = _mm_packs_epi32(_mm_castps_si128(low), _mm_castps_si128(high)),
                bytes = _mm_and_si128(_mm_packs_epi16(two, two), _mm_set1_epi8(1));
  long long const some = _mm_cvtsi128_si64(bytes);
  __builtin_memcpy(p, &some, static_cast<std::size_t>(n));
}
#else
template <class T>
RICCI_INLINE mask<T> load_mask(bool const* p, index_t n) {
  alignas(64) T lanes[pack<T>::size] = {};
  for (index_t k = 0; k < n; ++k) lanes[k] = T(p[k]);
  return pack<T>::load(lanes) != pack<T>(T(0));
}
template <class T>
RICCI_INLINE void store_mask(mask<T> m, bool* p, index_t n) {
  alignas(64) T lanes[pack<T>::size];
  select(m, pack<T>(T(1)), pack<T>(T(0))).store(lanes);
  for (index_t k = 0; k < n; ++k) p[k] = lanes[k] != T(0);
}
#endif

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
