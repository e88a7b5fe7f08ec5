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
inline constexpr index_t shortest_in_lanes = 32;

// conditions are compared as the bytes that they are
template <class T>
using ordered_as = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

#if RICCI_HAS_XSIMD
template <class T>
inline constexpr bool is_searched_in_packs = std::is_same_v<T, float> || std::is_same_v<T, double>;
// the same for one row alone
template <class T>
inline constexpr index_t shortest_row_in_lanes = is_searched_in_packs<T> ? index_t(64 / sizeof(T)) : shortest_in_lanes;
#else
template <class T>
inline constexpr bool is_searched_in_packs = false;
template <class T>
inline constexpr index_t shortest_row_in_lanes = shortest_in_lanes;
#endif

// The extremum of n elements, NaN where one is.
template <class Reduction, class T>
RICCI_VECTORISED T extremum_of_block(T const* x, index_t n) {
  index_t i = 0;
  T r = Reduction::template identity<T>;
  if constexpr (is_searched_in_packs<T>) {
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
  if constexpr (is_searched_in_packs<T>) {
#if RICCI_HAS_XSIMD
    using P = simd::pack<T>;
    P const wanted(what);
    for (; i + P::size <= n; i += P::size) {
      P const y = P::load(x + i);
      if (auto const found = broken ? y != y : y == wanted; simd::any_of(found)) return i + simd::first_of(found);
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

// Places are as wide as numbers, so that both fill as many registers.
template <class T>
using place_of = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
template <class T>
inline constexpr index_t most_places = std::numeric_limits<place_of<T>>::max();

template <class Op, class T, class Place>
RICCI_INLINE void advance_place(T x, Place i, T& best, Place& at) {
  bool const is_better = Op::replaces(x, best);
  best = is_better ? x : best;
  at = is_better ? i : at;
}
// The place in one row of at least one element.
template <class Op, class T>
RICCI_NOINLINE index_t place_in_row(T const* x, index_t n) {
  if (n >= shortest_row_in_lanes<T>) return place_of_extremum<Op>(x, n);
  T best = x[0];
  index_t at = 0;
  for (index_t i = 1; i < n; ++i) advance_place<Op, T, index_t>(x[i], i, best, at);
  return at;
}
// Element i of `count` folds side by side.
template <class Op, class T, class Place>
RICCI_VECTORISED void advance_places(T const* __restrict x, index_t count, Place i, T* __restrict best,
                                     Place* __restrict at) {
  for (index_t j = 0; j < count; ++j) advance_place<Op, T, Place>(x[j], i, best[j], at[j]);
}
// Extrema of `count` folds side by side, whose elements are rows `along` bytes apart. Where these are short and lie one
// behind the other, several are one row, whose parts meet in the end.
template <class Op, class T, index_t Strip>
void places_side_by_side(char const* x, index_t along, index_t n, index_t count, std::int64_t* to) {
  using place = place_of<T>;
  constexpr index_t long_enough = Strip < 128 ? Strip : 128;
  T best[Strip];
  place at[Strip];
  index_t together = 1;
  if (along == count * index_t(sizeof(T)))
    while (2 * together * count <= long_enough && 4 * together <= n) together *= 2;
  index_t const width = together * count, steps = n / together;
  auto const row = [&](index_t i) { return reinterpret_cast<T const*>(x + i * along); };
  for (index_t j = 0; j < width; ++j) best[j] = row(0)[j], at[j] = 0;
  for (index_t i = 1; i < steps; ++i)
    advance_places<Op, T, place>(row(i * together), width, static_cast<place>(i), best, at);
  for (index_t j = 0; j < count; ++j) {
    T so_far = best[j];
    index_t first = at[j] * together;
    for (index_t r = 1; r < together; ++r) {
      T const other = best[r * count + j];
      index_t const place_of_other = at[r * count + j] * together + r;
      if (Op::replaces(other, so_far) || (!Op::replaces(so_far, other) && place_of_other < first))
        so_far = other, first = place_of_other;
    }
    for (index_t i = steps * together; i < n; ++i) advance_place<Op, T, index_t>(row(i)[j], i, so_far, first);
    to[j] = first;
  }
}

// Extrema of rows of few elements, some at a time: what lies behind one another comes to lie side by side.
inline constexpr index_t short_rows_at_once = 32;
// Known: n where that is not 0, and rows lie one behind the other.
template <class Op, class T, index_t Known>
RICCI_VECTORISED void places_of_some_rows(T const* __restrict x, index_t stride, index_t more, std::int64_t* to) {
  constexpr index_t count = short_rows_at_once;
  index_t const n = Known > 0 ? Known : more, across = Known > 0 ? Known : stride;
  T best[count], next[count];
  place_of<T> at[count];
  for (index_t r = 0; r < count; ++r) best[r] = x[r * across], at[r] = 0;
  for (index_t i = 1; i < n; ++i) {
    for (index_t r = 0; r < count; ++r) next[r] = x[r * across + i];
    for (index_t r = 0; r < count; ++r)
      advance_place<Op, T, place_of<T>>(next[r], static_cast<place_of<T>>(i), best[r], at[r]);
  }
  for (index_t r = 0; r < count; ++r) to[r] = at[r];
}
// `count` of them, at least short_rows_at_once; strides count elements
template <class Op, class T>
void places_of_short_rows(T const* x, index_t across, index_t n, index_t count, std::int64_t* to, index_t to_across) {
  constexpr index_t some = short_rows_at_once;
  auto const part = across != n ? &places_of_some_rows<Op, T, 0>
                    : n == 2    ? &places_of_some_rows<Op, T, 2>
                    : n == 3    ? &places_of_some_rows<Op, T, 3>
                    : n == 4    ? &places_of_some_rows<Op, T, 4>
                                : &places_of_some_rows<Op, T, 0>;
  for (index_t done = 0; done < count; done += some) {
    index_t const j = done + some <= count ? done : count - some;
    if (to_across == 1) {
      part(x + j * across, across, n, to + j);
    } else {
      std::int64_t at[some];
      part(x + j * across, across, n, at);
      for (index_t r = 0; r < some; ++r) to[(j + r) * to_across] = at[r];
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
