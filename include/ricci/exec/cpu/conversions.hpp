// A register of floats from as many narrow integers in memory, and back, and registers of complex numbers. Compilers
// convert vectors between neighbouring widths by an instruction or two, and over more lane by lane, so that widths are
// walked through here, where there is no instruction for all of the way.
#pragma once

#include <ricci/exec/cpu/memory.hpp>

#if RICCI_HAS_XSIMD

namespace ricci::simd {
inline namespace RICCI_ABI {

#if defined(__GNUC__) || defined(__clang__)
// Integers that lanes of T are made of, or become, by way of 32 bits.
template <class T, class I>
inline constexpr bool converts_integers =
    std::is_integral_v<I> && !std::is_same_v<I, bool> && (sizeof(I) <= 2 || std::is_same_v<I, std::int32_t>);

template <class T, int Size>
struct vector_of {
  typedef T type __attribute__((vector_size(Size * sizeof(T))));
};
template <class T, int Size>
using vector = typename vector_of<T, Size>::type;

// Of bytes by the instruction for it, of others by halves.
template <int Size, class I>
RICCI_INLINE void widen(I const* p, vector<std::int32_t, Size>& to) {
  using words = vector<std::int32_t, Size>;
#if defined(__AVX512F__)
  if constexpr (Size == 16 && sizeof(I) == 1) {
    __m128i const x = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
    to = (words)(std::is_signed_v<I> ? _mm512_cvtepi8_epi32(x) : _mm512_cvtepu8_epi32(x));
    return;
  }
#endif
#if defined(__AVX2__)
  if constexpr (Size == 8 && sizeof(I) == 1) {
    __m128i const x = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(p));
    to = (words)(std::is_signed_v<I> ? _mm256_cvtepi8_epi32(x) : _mm256_cvtepu8_epi32(x));
    return;
  }
#endif
#if defined(__SSE2__)
  if constexpr (Size == 4 && sizeof(I) == 1) {  // four times each byte, of which the highest is left
    int some;
    __builtin_memcpy(&some, p, sizeof some);
    __m128i const x = _mm_cvtsi32_si128(some), two = _mm_unpacklo_epi8(x, x), four = _mm_unpacklo_epi16(two, two);
    to = (words)(std::is_signed_v<I> ? _mm_srai_epi32(four, 24) : _mm_srli_epi32(four, 24));
    return;
  }
#endif
  vector<I, Size> x;
  __builtin_memcpy(&x, p, sizeof x);
  if constexpr (sizeof(I) == 1)
    to = __builtin_convertvector(__builtin_convertvector(x, vector<std::int16_t, Size>), words);
  else
    to = __builtin_convertvector(x, words);
}
template <class T, class I>
RICCI_INLINE pack<T> from_integers(I const* p) {
  constexpr int size = pack<T>::size;
  vector<std::int32_t, size> x;
  widen<size>(p, x);
  return pack<T>(
      typename pack<T>::batch((typename pack<T>::register_type) __builtin_convertvector(x, vector<T, size>)));
}
// As scalar::convert: towards zero, and what is outside of I's range becomes its nearest end, NaN 0.
template <class I, class T>
RICCI_INLINE void to_integers(pack<T> from, I* p) {
  constexpr int size = pack<T>::size;
#if defined(__SSE2__)
  // the instruction gives the lowest for whatever is out of range
  if constexpr (std::is_same_v<I, std::int32_t> && std::is_same_v<T, float>) {
    pack<T> const number = select(from == from, from, pack<T>(T(0)));
#if defined(__AVX512F__)
    __mmask16 const above = _mm512_cmp_ps_mask(number.v, _mm512_set1_ps(2147483648.f), _CMP_GE_OQ);
    __m512i const y = _mm512_mask_set1_epi32(_mm512_cvttps_epi32(number.v), above, std::numeric_limits<I>::max());
#elif defined(__AVX__)
    __m256 const above = _mm256_cmp_ps(number.v, _mm256_set1_ps(2147483648.f), _CMP_GE_OQ);
    __m256 const y = _mm256_xor_ps(_mm256_castsi256_ps(_mm256_cvttps_epi32(number.v)), above);
#else
    __m128 const above = _mm_cmpge_ps(number.v, _mm_set1_ps(2147483648.f));
    __m128 const y = _mm_xor_ps(_mm_castsi128_ps(_mm_cvttps_epi32(number.v)), above);
#endif
    __builtin_memcpy(p, &y, sizeof y);
    return;
  }
#endif
  constexpr I lowest = std::numeric_limits<I>::lowest(), highest = std::numeric_limits<I>::max();
  constexpr bool holds_highest = sizeof(I) < sizeof(T);  // as an exact number
  using words = vector<std::int32_t, size>;
  pack<T> const known = select(from == from, from, pack<T>(T(0))), low(static_cast<T>(lowest)),
                end(holds_highest ? static_cast<T>(highest) : 2 * static_cast<T>(highest / 2 + 1));
  pack<T> const above = select(known < low, low, known), in_range = select(above < end, above, end);
  auto const as_words = [](pack<T> x) RICCI_INLINE_LAMBDA {
    return __builtin_convertvector((vector<T, size>)static_cast<typename pack<T>::register_type>(x.v), words);
  };
  words x;
  if constexpr (holds_highest)
    x = as_words(in_range);
  else
    x = as_words(select(above < end, above, pack<T>(T(0)))) |
        (-as_words(select(above < end, pack<T>(T(0)), pack<T>(T(1)))) & highest);
  if constexpr (sizeof(I) == 1) {
    auto const y = __builtin_convertvector(__builtin_convertvector(x, vector<std::int16_t, size>), vector<I, size>);
    __builtin_memcpy(p, &y, sizeof y);
  } else {
    auto const y = __builtin_convertvector(x, vector<I, size>);
    __builtin_memcpy(p, &y, sizeof y);
  }
}
#else
template <class T, class I>
inline constexpr bool converts_integers = false;
template <class T, class I>
pack<T> from_integers(I const* p);  // never called
template <class I, class T>
void to_integers(pack<T> from, I* p);
#endif

// A register of complex numbers: of real and of imaginary parts, which lie in turn in memory.
template <class T>
struct complex_pack {
  pack<T> real, imag;
};
template <class T>
RICCI_INLINE complex_pack<T> load_parts(void const* p) {
  using complex_batch = xsimd::batch<std::complex<T>, typename pack<T>::batch::arch_type>;
  auto const z = complex_batch::load_unaligned(static_cast<std::complex<T> const*>(p));
  return {pack<T>(z.real()), pack<T>(z.imag())};
}
template <class T>
RICCI_INLINE void store_parts(complex_pack<T> const& x, void* p) {
  using complex_batch = xsimd::batch<std::complex<T>, typename pack<T>::batch::arch_type>;
  complex_batch(x.real.v, x.imag.v).store_unaligned(static_cast<std::complex<T>*>(p));
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
