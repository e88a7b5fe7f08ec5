// Vectors of the inner loops of transforms: a few numbers side by side, the compiler's own, so that the same butterfly
// is computed of them and of plain numbers in constant expressions.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

// transforms side by side: eight on every machine, so that results are the same
inline constexpr int lanes = 8;

namespace vectors {

inline constexpr int register_bytes = RICCI_ABI_LEVEL >= 8 ? 64 : RICCI_ABI_LEVEL >= 5 ? 32 : 16;
#if defined(__GNUC__) && !defined(__CUDACC__)
inline constexpr bool are_there = !RICCI_SMALL_STACK;
#else
inline constexpr bool are_there = false;
#endif

#if defined(__GNUC__) && !defined(__CUDACC__)
template <class T>
inline constexpr int width = register_bytes / int(sizeof(T)) < lanes ? register_bytes / int(sizeof(T)) : lanes;
template <class T, int N = width<T>>
struct types {
  typedef T value __attribute__((vector_size(sizeof(T) * N)));
  typedef T memory __attribute__((vector_size(sizeof(T) * N), aligned(alignof(T)), may_alias));
};
template <class T, int N = width<T>>
using of = typename types<T, N>::value;
template <class V, class T>
using memory_of = typename types<T, int(sizeof(V) / sizeof(T))>::memory;

template <class V, class T>
RICCI_INLINE constexpr V load(T const* p) {
  if constexpr (std::is_same_v<V, T>)
    return *p;
  else
    return *reinterpret_cast<memory_of<V, T> const*>(p);
}
template <class V, class T>
RICCI_INLINE constexpr void store(T* p, V const& x) {
  if constexpr (std::is_same_v<V, T>)
    *p = x;
  else
    *reinterpret_cast<memory_of<V, T>*>(p) = x;
}
// In a, blocks of B numbers that have an odd place become the even ones of b, and these those of a.
template <int B, class V, int... K>
RICCI_INLINE void exchange(V& a, V& b, std::integer_sequence<int, K...>) {
  constexpr int n = sizeof...(K);
  V const x = a, y = b;
  a = __builtin_shufflevector(x, y, ((K & B) ? n + K - B : K)...);
  b = __builtin_shufflevector(x, y, ((K & B) ? n + K : K + B)...);
}
// Number k of vector i becomes number i of vector k.
template <class T, int n = width<T>>
RICCI_INLINE void transpose(of<T, n>* x) {
  using all = std::make_integer_sequence<int, n>;
  if constexpr (n >= 8) {
    RICCI_UNROLL(4)
    for (int i = 0; i < 4; ++i) exchange<4>(x[i], x[i + 4], all{});
  }
  if constexpr (n >= 4) {
    RICCI_UNROLL(2)
    for (int i = 0; i < n; i += 4) exchange<2>(x[i], x[i + 2], all{}), exchange<2>(x[i + 1], x[i + 3], all{});
  }
  RICCI_UNROLL(4)
  for (int i = 0; i < n; i += 2) exchange<1>(x[i], x[i + 1], all{});
}
template <class V, int... K>
RICCI_INLINE V reversed(V const& x, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(x, x, (int(sizeof...(K)) - 1 - K)...);
}
template <class T>
RICCI_INLINE of<T> reversed(of<T> const& x) {
  return reversed(x, std::make_integer_sequence<int, width<T>>{});
}
template <class V, int... K>
RICCI_INLINE void zip(V& a, V& b, std::integer_sequence<int, K...>) {
  constexpr int n = sizeof...(K);
  V const x = a, y = b;
  a = __builtin_shufflevector(x, y, (K / 2 + (K & 1) * n)...);
  b = __builtin_shufflevector(x, y, (n / 2 + K / 2 + (K & 1) * n)...);
}
template <class V, int... K>
RICCI_INLINE void unzip(V& a, V& b, std::integer_sequence<int, K...>) {
  V const x = a, y = b;
  a = __builtin_shufflevector(x, y, (2 * K)...);
  b = __builtin_shufflevector(x, y, (2 * K + 1)...);
}
// complex numbers as they lie in memory, from and to real and imaginary parts
template <class T, int N = width<T>>
RICCI_INLINE void store_pairs(T* p, of<T, N> re, of<T, N> im) {
  zip(re, im, std::make_integer_sequence<int, N>{});
  store(p, re), store(p + N, im);
}
template <class T, int N = width<T>>
RICCI_INLINE void load_pairs(T const* p, of<T, N>& re, of<T, N>& im) {
  re = load<of<T, N>>(p), im = load<of<T, N>>(p + N);
  unzip(re, im, std::make_integer_sequence<int, N>{});
}
#else  // of one number
template <class T>
inline constexpr int width = 1;
template <class T, int = 1>
using of = T;
template <class V, class T>
RICCI_HD constexpr V load(T const* p) {
  return *p;
}
template <class V, class T>
RICCI_HD constexpr void store(T* p, V const& x) {
  *p = x;
}
template <class T, int N = width<T>>
RICCI_HD constexpr void transpose(T*) {}
template <class T>
RICCI_HD constexpr T reversed(T const& x) {
  return x;
}
template <class T, int N = width<T>>
RICCI_HD constexpr void store_pairs(T* p, T re, T im) {
  p[0] = re, p[1] = im;
}
template <class T, int N = width<T>>
RICCI_HD constexpr void load_pairs(T const* p, T& re, T& im) {
  re = p[0], im = p[1];
}
#endif

// whether type T has vectors, where this is not a constant expression
template <class T>
inline constexpr bool exist = are_there && (std::is_same_v<T, float> || std::is_same_v<T, double>);

}  // namespace vectors
}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
