// Products with few rows or few columns, where both factors can be read along k: each element is a dot product, and a
// few of them are computed together, so that what is loaded is used several times. The lanes of four sums are added up
// at once.
#pragma once

#include <ricci/exec/cpu/microkernel.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Element i of the result is the sum of x[i]'s lanes. Sums of two packs share one, then those of four, until a lane
// each is left.
template <class T>
RICCI_INLINE void sums_of_lanes(simd::pack<T> const (&x)[4], T (&sums)[4]) {
  using P = simd::pack<T>;
  constexpr int size = P::size;
#if defined(__GNUC__) || defined(__clang__)
  if constexpr (size >= 4) {
    using V = typename P::register_type;
    auto const halves = []<int... L>(P a, P b, std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      constexpr int part = size / 2;
      V const u = a.v, v = b.v;
      return P(V(__builtin_shufflevector(u, v, (L % part + L / part * size)...))) +
             P(V(__builtin_shufflevector(u, v, (L % part + L / part * size + part)...)));
    };
    auto const quarters = []<int... L>(P a, P b, std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      constexpr int part = size / 4;
      V const u = a.v, v = b.v;
      return P(V(__builtin_shufflevector(u, v, (L % part + L / part * 2 * part)...))) +
             P(V(__builtin_shufflevector(u, v, (L % part + L / part * 2 * part + part)...)));
    };
    using lanes = std::make_integer_sequence<int, size>;
    P const together = quarters(halves(x[0], x[1], lanes{}), halves(x[2], x[3], lanes{}), lanes{});
    constexpr int part = size / 4;
    V v = together.v;
    if constexpr (part >= 4) v = (together + P(V(simd::lane_swapped<2>(v, lanes{})))).v;
    if constexpr (part >= 2) v = (P(v) + P(V(simd::lane_swapped<1>(v, lanes{})))).v;
    auto const four = __builtin_shufflevector(v, v, 0, part, 2 * part, 3 * part);
    __builtin_memcpy(sums, &four, sizeof four);
    return;
  }
#endif
  for (int i = 0; i < 4; ++i) {
    alignas(64) T lane[size];
    x[i].store(lane);
    for (int half = size / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    sums[i] = lane[0];
  }
}

// Rows of one factor, each along k.
template <class T>
struct rows_along_k {
  T const* p;
  index_t row;
};
// Where a sum goes: strides of the result for a row of a and of b.
template <class T>
struct sums_to {
  T* p;
  index_t a, b;
};

// Rows x 4 sums of products of a row of a and one of b. Splits: sums of every second pack, say, so that an addition
// need not wait for the last one.
template <int Rows, int Splits, class T>
RICCI_INLINE void multiply_dots(rows_along_k<T> a, rows_along_k<T> b, index_t depth, sums_to<T> c) {
  using P = simd::pack<T>;
  P acc[Splits][Rows][4];
  RICCI_UNROLL(4)
  for (int s = 0; s < Splits; ++s) RICCI_UNROLL(4)
  for (int r = 0; r < Rows; ++r) RICCI_UNROLL(4)
  for (int j = 0; j < 4; ++j) acc[s][r][j] = P(T(0));
  auto const add = [&](P(&to)[Rows][4], index_t k, auto const& load) RICCI_INLINE_LAMBDA {
    P of_b[4];
    RICCI_UNROLL(4)
    for (int j = 0; j < 4; ++j) of_b[j] = load(b.p + j * b.row + k);
    RICCI_UNROLL(4)
    for (int r = 0; r < Rows; ++r) {
      P const x = load(a.p + r * a.row + k);
      RICCI_UNROLL(4)
      for (int j = 0; j < 4; ++j) to[r][j] = simd::fma(x, of_b[j], to[r][j]);
    }
  };
  auto const whole = [](T const* p) RICCI_INLINE_LAMBDA { return P::load(p); };
  auto const add_whole = [&](index_t n) RICCI_INLINE_LAMBDA {
    index_t k = 0;
    for (; k + Splits * P::size <= n; k += Splits * P::size) {
      RICCI_UNROLL(4)
      for (int s = 0; s < Splits; ++s) add(acc[s], k + s * P::size, whole);
    }
    return k;
  };
  if constexpr (simd::loads_parts) {
    index_t k = add_whole(depth);
    if constexpr (Splits > 1)
      for (; k + P::size <= depth; k += P::size) add(acc[0], k, whole);
    index_t const left = depth - k;
    if (left > 0) add(acc[Splits - 1], k, [&](T const* p) RICCI_INLINE_LAMBDA { return simd::load_first(p, left); });
  } else {
    // what is left goes the same way, from memory where zeros follow it
    T last[Rows + 4][Splits * P::size];
    for (;;) {
      index_t const k = add_whole(depth), left = depth - k;
      if (left == 0) break;
      for (int r = 0; r < Rows + 4; ++r) {
        T const* const from = k + (r < Rows ? a.p + r * a.row : b.p + (r - Rows) * b.row);
        for (index_t i = 0; i < Splits * P::size; ++i) last[r][i] = i < left ? from[i] : T(0);
      }
      a = {last[0], Splits * P::size};
      b = {last[Rows], Splits * P::size};
      depth = Splits * P::size;
    }
  }
  RICCI_UNROLL(4)
  for (int r = 0; r < Rows; ++r) {
    T sums[4];
    if constexpr (Splits > 1) {
      RICCI_UNROLL(4)
      for (int j = 0; j < 4; ++j) acc[0][r][j] = acc[0][r][j] + acc[1][r][j];
    }
    sums_of_lanes(acc[0][r], sums);
    RICCI_UNROLL(4)
    for (int j = 0; j < 4; ++j) c.p[r * c.a + j * c.b] = sums[j];
  }
}

// All sums of `rows` rows of a with `columns` rows of b. Where four do not divide them, the last four are computed
// together with some that are there already.
template <int Rows, int Splits, class T>
RICCI_NOINLINE void multiply_rows_by_dots(rows_along_k<T> a, rows_along_k<T> b, index_t columns, index_t depth,
                                          sums_to<T> c) {
  if (columns < 4) {
    for (index_t r = 0; r < Rows; ++r)
      for (index_t j = 0; j < columns; ++j) c.p[r * c.a + j * c.b] = dot(a.p + r * a.row, b.p + j * b.row, depth);
    return;
  }
  for (index_t j = 0; j < columns; j += 4) {
    index_t const at = j + 4 <= columns ? j : columns - 4;
    multiply_dots<Rows, Splits>(a, {b.p + at * b.row, b.row}, depth, {c.p + at * c.b, c.a, c.b});
  }
}
template <class T>
RICCI_NOINLINE void multiply_by_dots(rows_along_k<T> a, index_t rows, rows_along_k<T> b, index_t columns, index_t depth,
                                     sums_to<T> c) {
  constexpr int most = micro_rows >= 8 ? 4 : 2;  // as many sums as there are registers for
  while (rows > 0) {
    index_t const n = rows >= most ? most : rows >= 2 ? 2 : 1;
    if (n == most)
      multiply_rows_by_dots<most, 1>(a, b, columns, depth, c);
    else if (n == 2)
      multiply_rows_by_dots<2, 1>(a, b, columns, depth, c);
    else
      multiply_rows_by_dots<1, 2>(a, b, columns, depth, c);
    a.p += n * a.row;
    c.p += n * c.a;
    rows -= n;
  }
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
