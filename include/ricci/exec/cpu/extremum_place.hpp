// Where the first extremum lies, of a fold that names the reduction which finds it (`Op::extremum`). A state of number
// and place goes from element to element; the number alone is found in lanes, and its place afterwards, in one block.
#pragma once

#include <ricci/exec/cpu/lanes.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

template <class Op>
concept FindsPlace = requires {
  typename Op::extremum;
};

inline constexpr index_t extremum_lanes = RICCI_SMALL_STACK ? 16 : 256, extremum_block = 16 * extremum_lanes;
// From here on the lanes are worth their beginning and end.
inline constexpr index_t shortest_in_lanes = 64;

// conditions are compared as the bytes that they are
template <class T>
using ordered_as = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

#if RICCI_HAS_XSIMD
template <class T>
inline constexpr bool has_packs = std::is_same_v<T, float> || std::is_same_v<T, double>;
#else
template <class T>
inline constexpr bool has_packs = false;
#endif

// The extremum of n elements, NaN where one is.
template <class Reduction, class T>
RICCI_VECTORISED T extremum_of_block(T const* x, index_t n) {
  index_t i = 0;
  T r = Reduction::template identity<T>;
  if constexpr (has_packs<T>) {
#if RICCI_HAS_XSIMD
    using P = simd::pack<T>;
    constexpr int width = P::size, ways = 4;
    if (n >= width) {
      P best[ways];
      RICCI_UNROLL(4)
      for (int w = 0; w < ways; ++w) best[w] = P::load(x);
      for (; i + ways * width <= n; i += ways * width) RICCI_UNROLL(4)
      for (int w = 0; w < ways; ++w) best[w] = Reduction::combine(P::load(x + i + w * width), best[w]);
      for (; i < n; i += width) best[0] = Reduction::combine(P::load(x + (i + width <= n ? i : n - width)), best[0]);
      best[0] = Reduction::combine(Reduction::combine(best[0], best[1]), Reduction::combine(best[2], best[3]));
      return simd_lanes<T>::template across<Reduction, dtype_of<T>>(best[0]);
    }
#endif
  } else if constexpr (std::is_floating_point_v<T>) {
    T best[extremum_lanes];
    index_t lanes = extremum_lanes;
    while (lanes > n) lanes /= 2;
    for (index_t l = 0; l < lanes; ++l) best[l] = x[l];
    for (i = lanes; i + lanes <= n; i += lanes)
      for (index_t l = 0; l < lanes; ++l) best[l] = Reduction::combine(x[i + l], best[l]);
    for (index_t l = 0; l < lanes; ++l) r = Reduction::combine(best[l], r);
  }
  for (; i < n; ++i) r = Reduction::combine(x[i], r);
  return r;
}
// Where the first of n elements is that equals what is among them, or is NaN as that is.
template <class T>
RICCI_VECTORISED index_t first_place(T const* x, index_t n, T what) {
  bool const broken = what != what;
  index_t i = 0;
  if constexpr (has_packs<T>) {
#if RICCI_HAS_XSIMD
    using P = simd::pack<T>;
    P const wanted(what);
    for (; i + P::size <= n; i += P::size) {
      P const y = P::load(x + i);
      if (simd::any_of(broken ? y != y : y == wanted)) break;
    }
#endif
  } else {
    constexpr index_t step = 64;
    for (; i + step <= n; i += step) {
      int found = 0;
      for (index_t l = 0; l < step; ++l) found |= broken ? x[i + l] != x[i + l] : x[i + l] == what;
      if (found) break;
    }
  }
  while (i + 1 < n && (broken ? x[i] == x[i] : x[i] != what)) ++i;
  return i;
}
template <class Op, class T>
index_t place_of_extremum(T const* x, index_t n) {
  T best = x[0];
  index_t at = 0;
  for (index_t from = 0; from < n; from += extremum_block) {
    T const of_block =
        extremum_of_block<typename Op::extremum>(x + from, n - from < extremum_block ? n - from : extremum_block);
    if (!Op::replaces(of_block, best)) continue;
    best = of_block, at = from;
    if (best != best) break;
  }
  return at + first_place(x + at, n - at < extremum_block ? n - at : extremum_block, best);
}

// Extrema of `count` folds side by side, whose elements are rows `along` bytes apart; places are as wide as numbers.
template <class Op, class T, class Place>
RICCI_VECTORISED void advance_places(T const* __restrict x, index_t count, Place i, T* __restrict best,
                                     Place* __restrict at) {
  for (index_t j = 0; j < count; ++j) {
    bool const is_better = Op::replaces(x[j], best[j]);
    best[j] = is_better ? x[j] : best[j];
    at[j] = is_better ? i : at[j];
  }
}
template <class Op, class T, index_t Strip>
void places_side_by_side(char const* x, index_t along, index_t n, index_t count, std::int64_t* to) {
  using place = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  T best[Strip];
  place at[Strip];
  for (index_t j = 0; j < count; ++j) best[j] = reinterpret_cast<T const*>(x)[j], at[j] = 0;
  for (index_t i = 1; i < n; ++i)
    advance_places<Op, T, place>(reinterpret_cast<T const*>(x + i * along), count, static_cast<place>(i), best, at);
  for (index_t j = 0; j < count; ++j) to[j] = at[j];
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
