// The absolute values of packs and rounding to integers, by the instructions that a set has for it.
#pragma once

#include <ricci/exec/cpu/pack.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

template <class T>
RICCI_INLINE pack<T> abs(pack<T> x) {
  return xsimd::abs(x.v);
}
// x as a number of its own, which no compiler takes into a fused operation or another sum
template <class T>
RICCI_INLINE pack<T> kept(pack<T> x) {
#if defined(__aarch64__)
  __asm__("" : "+w"(x.v.data));
#elif defined(__AVX512F__)
  __asm__("" : "+v"(x.v.data));
#elif defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
  __asm__("" : "+x"(x.v.data));
#endif
  return x;
}
// x as it was computed: with -ffast-math a compiler takes sums in another order, and what is left of a rounding for 0.
template <class T>
RICCI_INLINE pack<T> rounded(pack<T> x) {
#if defined(__FAST_MATH__)
  return kept(x);
#else
  return x;
#endif
}

// to the nearest integer, halves to the even one
template <class T>
RICCI_INLINE pack<T> nearbyint(pack<T> x) {
#if defined(__FAST_MATH__) && defined(__SSE2__) && !defined(__SSE4_1__)
  // as xsimd does, which a compiler takes for x here
  pack<T> const all_whole(sizeof(T) == 4 ? T(8388608) : T(4503599627370496)), size = abs(x);
  pack<T> const y = rounded(rounded(size + all_whole) - all_whole);
  return select(size < all_whole, y, size).v | xsimd::bitofsign(x.v);
#else
  return xsimd::nearbyint(x.v);
#endif
}
template <class T>
RICCI_INLINE pack<T> floor(pack<T> x) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
  pack<T> const y = nearbyint(x);  // xsimd converts to integers, which not all numbers are
  return (y - select(y > x, pack<T>(T(1)), pack<T>(T(0)))).v | xsimd::bitofsign(x.v);
#elif defined(__aarch64__)
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(vrndmq_f32(x.v));  // xsimd's loses the sign of zero
  else
    return typename pack<T>::batch(vrndmq_f64(x.v));
#else
  return xsimd::floor(x.v);
#endif
}
template <class T>
RICCI_INLINE pack<T> ceil(pack<T> x) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
  pack<T> const y = nearbyint(x);
  return (y + select(y < x, pack<T>(T(1)), pack<T>(T(0)))).v | xsimd::bitofsign(x.v);
#elif defined(__aarch64__)
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(vrndpq_f32(x.v));
  else
    return typename pack<T>::batch(vrndpq_f64(x.v));
#else
  return xsimd::ceil(x.v);
#endif
}
template <class T>
RICCI_INLINE pack<T> round(pack<T> x) {
  return nearbyint(x);
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
