// Lanes, the ways to run a kernel's registers: as SIMD packs of one floating type, or as plain numbers of any types,
// which the compiler may vectorise (packs of several types: mixed_lanes.hpp; where nothing is optimised:
// vector_lanes.hpp). All offer the same few operations, so that a row (exec/cpu/row.hpp) is written once.
#pragma once

#include <ricci/exec/cpu/memory.hpp>
#include <ricci/exec/cpu/more_math.hpp>
#include <ricci/exec/cpu/vector_lanes.hpp>
#include <ricci/exec/registers.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD
// Registers of packs of T, and of masks for booleans.
template <class T>
struct simd_lanes {
  using value_type = T;
  using pack = simd::pack<T>;
  static constexpr int width = pack::size;
  static constexpr bool loads_parts = simd::loads_parts;
  // elsewhere by halves of it, which costs whole ones a branch (memory.hpp)
#if defined(__GNUC__) || defined(__clang__)
  static constexpr bool loads_halves = !loads_parts;
#else
  static constexpr bool loads_halves = false;
#endif
  struct frame {
    pack v[max_registers];
    simd::mask<T> m[max_registers];
  };
  template <int R, dtype U>
  RICCI_INLINE static auto& at(frame& f) {
    if constexpr (U == dtype::boolean)
      return f.m[R];
    else
      return f.v[R];
  }
  template <dtype U>
  RICCI_INLINE static auto load(void const* p, index_t i) {
    if constexpr (U == dtype::boolean)
      return simd::load_mask<T>(static_cast<bool const*>(p) + i, width);
    else
      return pack::load(static_cast<T const*>(p) + i);
  }
  // The first n lanes; n may be all of them. Loops of nothing but parts (row.hpp) mostly load whole ones: a branch that
  // is foreseen costs less than waiting for a mask.
  template <dtype U>
  RICCI_INLINE static auto load_first(void const* p, index_t i, index_t n) {
    if constexpr (U == dtype::boolean)
      return loads_halves && n >= width ? load<U>(p, i) : simd::load_mask<T>(static_cast<bool const*>(p) + i, n);
    else if constexpr (loads_halves)
      return simd::load_by_halves(static_cast<T const*>(p) + i, n);
    else
      return n >= width ? pack::load(static_cast<T const*>(p) + i) : simd::load_first(static_cast<T const*>(p) + i, n);
  }
  template <dtype U>
  RICCI_INLINE static auto splat(type_of<U> x) {
    if constexpr (U == dtype::boolean)
      return pack(x ? T(1) : T(0)) != pack(T(0));
    else
      return pack(x);
  }
  template <dtype U, class V>
  RICCI_INLINE static void store(V x, void* p, index_t i) {
    if constexpr (U == dtype::boolean)
      simd::store_mask<T>(x, static_cast<bool*>(p) + i, width);
    else
      x.store(static_cast<T*>(p) + i);
  }
  template <dtype U, class V>
  RICCI_INLINE static void store_first(V x, void* p, index_t i, index_t n) {
    if constexpr (U == dtype::boolean)
      simd::store_mask<T>(x, static_cast<bool*>(p) + i, loads_halves && n >= width ? width : n);
    else if constexpr (loads_halves)
      simd::store_by_halves(x, static_cast<T*>(p) + i, n);
    else
      simd::store_first(x, static_cast<T*>(p) + i, n);
  }
  // n elements from i on where elements lie `stride` bytes apart; side by side they may lie, too
  template <dtype U>
  RICCI_INLINE static auto gather(void const* p, index_t i, index_t stride, index_t n) {
    if (stride == sizeof(type_of<U>)) return load_first<U>(p, i, n);
    if constexpr (U == dtype::boolean) {
      bool lane[width] = {};
      for (index_t k = 0; k < n; ++k) lane[k] = *(static_cast<bool const*>(p) + (i + k) * stride);
      return load<U>(lane, 0);
    } else {
      return simd::load_apart(static_cast<T const*>(p), i * stride, stride, n);
    }
  }
  template <dtype U, class V>
  RICCI_INLINE static void scatter(V x, void* p, index_t i, index_t stride, index_t n) {
    if (stride == sizeof(type_of<U>)) return store_first<U>(x, p, i, n);
    type_of<U> lane[width];
    store<U>(x, lane, 0);
    for (index_t k = 0; k < n; ++k) *reinterpret_cast<type_of<U>*>(static_cast<char*>(p) + (i + k) * stride) = lane[k];
  }
  template <class Op, dtype U, class V>
  RICCI_INLINE static type_of<U> across(V x) {
#if defined(__GNUC__) || defined(__clang__)
    if constexpr (U != dtype::boolean) return fold<Op, width / 2>(x);
#endif
    alignas(64) type_of<U> lane[width];
    store<U>(x, lane, 0);
    return halved<Op>(lane, width);
  }
  // the first n lanes of a, the others of b
  template <class V>
  RICCI_INLINE static V first(V a, V b, index_t n) {
    return simd::select(simd::first_lanes<T>(n), a, b);
  }

 private:
#if defined(__GNUC__) || defined(__clang__)
  // Lane k with lane k + Half, and again with half of it. The other lanes go where that moves them within the parts of
  // a register that one fast instruction permutes.
  template <class Op, int Half>
  RICCI_INLINE static T fold(pack x) {
    if constexpr (Half == 0) {
      return static_cast<typename pack::register_type>(x.v)[0];
    } else {
      using V = typename pack::register_type;
      pack const upper(V(simd::lane_swapped<Half>(V(x.v), std::make_integer_sequence<int, width>{})));
      return fold<Op, Half / 2>(pack(Op::combine(x, upper)));
    }
  }
#endif
};
#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
