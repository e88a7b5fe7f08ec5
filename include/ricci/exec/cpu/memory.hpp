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

// The first n lanes (0 < n <= size); the others are zero.
template <class T>
RICCI_INLINE pack<T> load_first(T const* p, index_t n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p));
  else
    return typename pack<T>::batch(_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p));
#else
  alignas(64) T lanes[pack<T>::size] = {};
  for (index_t k = 0; k < n; ++k) lanes[k] = p[k];
  return pack<T>::load(lanes);
#endif
}
template <class T>
RICCI_INLINE void store_first(pack<T> x, T* p, index_t n) {
#if defined(__AVX512F__)
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

// true in the first n lanes
template <class T>
RICCI_INLINE mask<T> first_lanes(index_t n) {
  alignas(64) static constexpr auto steps = [] {
    struct {
      T lane[2 * pack<T>::size];
    } s{};
    for (int k = 0; k < pack<T>::size; ++k) s.lane[k] = T(1);
    return s;
  }();
  return pack<T>::load(steps.lane + pack<T>::size - n) != pack<T>(T(0));
}

template <class T>
RICCI_INLINE mask<T> load_mask(bool const* p, index_t n) {
  alignas(64) T lanes[pack<T>::size] = {};
  for (index_t k = 0; k < n; ++k) lanes[k] = p[k] ? T(1) : T(0);
  return pack<T>::load(lanes) != pack<T>(T(0));
}
template <class T>
RICCI_INLINE void store_mask(mask<T> m, bool* p, index_t n) {
  alignas(64) T lanes[pack<T>::size];
  select(m, pack<T>(T(1)), pack<T>(T(0))).store(lanes);
  for (index_t k = 0; k < n; ++k) p[k] = lanes[k] != T(0);
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
