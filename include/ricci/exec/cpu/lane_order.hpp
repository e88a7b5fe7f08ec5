// The lanes of a register in another order, which is only known when a kernel runs.
#pragma once

#include <ricci/exec/cpu/memory.hpp>

#if RICCI_HAS_XSIMD

namespace ricci::simd {
inline namespace RICCI_ABI {

// Whether one instruction does that.
#if defined(__AVX512F__) || defined(__AVX2__)
inline constexpr bool reorders_lanes = true;
#else
inline constexpr bool reorders_lanes = false;
#endif

// Where the lanes of a pack of T come from: for each lane a number in memory, as the instruction has it.
template <class T>
struct lane_order {
  static constexpr int width = pack<T>::size;
  using number = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  static constexpr number number_of(int lane) {
    if (width == 4 && sizeof(T) == 8) return number(2 * lane) | number(2 * lane + 1) << (4 * sizeof(T));  // its halves
    return number(lane);
  }
#if defined(__AVX512F__)
  __m512i lanes;
  RICCI_INLINE static lane_order load(number const* p) { return {_mm512_loadu_si512(p)}; }
  RICCI_INLINE pack<T> of(pack<T> x) const {
    if constexpr (sizeof(T) == 4)
      return typename pack<T>::batch(_mm512_permutexvar_ps(lanes, x.v));
    else
      return typename pack<T>::batch(_mm512_permutexvar_pd(lanes, x.v));
  }
#elif defined(__AVX2__)
  __m256i lanes;
  RICCI_INLINE static lane_order load(number const* p) {
    return {_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p))};
  }
  RICCI_INLINE pack<T> of(pack<T> x) const {
    if constexpr (sizeof(T) == 4)
      return typename pack<T>::batch(_mm256_permutevar8x32_ps(x.v, lanes));
    else
      return typename pack<T>::batch(_mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(x.v), lanes)));
  }
#else
  RICCI_INLINE static lane_order load(number const*) { return {}; }
  RICCI_INLINE pack<T> of(pack<T> x) const { return x; }
#endif
};

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
