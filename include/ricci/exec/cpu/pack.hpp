// A SIMD batch as kernels see it: xsimd's, with the operations that it lacks or that lose part of their range, found by
// ADL under the names of <cmath>.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>
#include <ricci/core/xsimd.hpp>

#if RICCI_HAS_XSIMD

namespace ricci::simd {
inline namespace RICCI_ABI {

// The lanes where m is not. (xsimd's is a function of its own that compilers do not always inline; so it would be code
// with the instructions of one file in another.)
template <class B>
RICCI_INLINE B negated(B m) {
#if defined(__GNUC__) || defined(__clang__)
  using bits = typename B::register_type;
  if constexpr (sizeof(bits) <= 2) {  // a bit for each lane
    return B(static_cast<bits>(~static_cast<bits>(m)));
  } else {
    typedef std::int64_t words __attribute__((vector_size(sizeof(bits))));
    return B((bits) ~(words) static_cast<bits>(m));
  }
#else
  return !m;
#endif
}

template <class T>
struct mask {
  using batch = xsimd::batch_bool<T>;
  batch v;

  RICCI_INLINE friend mask operator&&(mask a, mask b) { return {a.v && b.v}; }
  RICCI_INLINE friend mask operator||(mask a, mask b) { return {a.v || b.v}; }
  RICCI_INLINE friend mask operator!(mask a) { return {negated(a.v)}; }
  RICCI_INLINE friend mask operator!=(mask a, mask b) { return {(a.v && negated(b.v)) || (negated(a.v) && b.v)}; }
  RICCI_INLINE friend mask operator==(mask a, mask b) { return !(a != b); }
};

template <class T>
struct pack {
  using batch = xsimd::batch<T>;
  using value_type = T;
  using register_type = typename batch::register_type;
  static constexpr int size = static_cast<int>(batch::size);
  batch v;

  pack() = default;
  RICCI_INLINE pack(T x) : v(x) {}
  RICCI_INLINE pack(batch x) : v(x) {}

  RICCI_INLINE friend pack operator+(pack a, pack b) { return a.v + b.v; }
  RICCI_INLINE friend pack operator-(pack a, pack b) { return a.v - b.v; }
  RICCI_INLINE friend pack operator*(pack a, pack b) { return a.v * b.v; }
#if defined(__aarch64__)
  RICCI_INLINE friend pack operator/(pack a, pack b) {
    return batch(register_type(a.v) / register_type(b.v));
  }  // xsimd's is an estimate
#else
  RICCI_INLINE friend pack operator/(pack a, pack b) { return a.v / b.v; }
#endif
  RICCI_INLINE friend pack operator-(pack a) { return a.v ^ batch(T(-0.)); }  // xsimd's gives 0 - 0 = 0 on AVX-512
  RICCI_INLINE friend mask<T> operator==(pack a, pack b) { return {a.v == b.v}; }
  RICCI_INLINE friend mask<T> operator!=(pack a, pack b) {
    return {negated(a.v == b.v)};
  }  // xsimd's takes NaN for equal on AVX
  RICCI_INLINE friend mask<T> operator<(pack a, pack b) { return {a.v < b.v}; }
  RICCI_INLINE friend mask<T> operator<=(pack a, pack b) { return {a.v <= b.v}; }
  RICCI_INLINE friend mask<T> operator>(pack a, pack b) { return {a.v > b.v}; }
  RICCI_INLINE friend mask<T> operator>=(pack a, pack b) { return {a.v >= b.v}; }

  // Memory is read and written as vectors of T, which alias Ts alone; intrinsics may alias anything, and the compiler
  // would have to read every pointer and count again after each store.
#if defined(__GNUC__) || defined(__clang__)
  typedef T memory __attribute__((vector_size(sizeof(register_type)), aligned(alignof(T))));
  RICCI_INLINE static pack load(T const* p) { return batch((register_type) * reinterpret_cast<memory const*>(p)); }
  RICCI_INLINE void store(T* p) const { *reinterpret_cast<memory*>(p) = (memory) static_cast<register_type>(v); }
#else
  RICCI_INLINE static pack load(T const* p) { return batch::load_unaligned(p); }
  RICCI_INLINE void store(T* p) const { v.store_unaligned(p); }
#endif
};

template <class T>
RICCI_INLINE pack<T> select(mask<T> m, pack<T> a, pack<T> b) {
  return xsimd::select(m.v, a.v, b.v);
}
template <class T>
RICCI_INLINE mask<T> select(mask<T> m, mask<T> a, mask<T> b) {
  return {(m.v && a.v) || (negated(m.v) && b.v)};
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
